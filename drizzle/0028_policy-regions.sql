ALTER TABLE "api_keys" ADD COLUMN "allowed_regions" text[];--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "allowed_regions" text[];--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "allowed_regions" text[];