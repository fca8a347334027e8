ALTER TABLE "api_keys" ADD COLUMN "limits" jsonb;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "limits" jsonb;