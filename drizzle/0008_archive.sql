ALTER TABLE "videos" ADD COLUMN "archive_key" text;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "upstream_result" jsonb;