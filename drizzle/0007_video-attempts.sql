ALTER TABLE "video_attempts" ADD COLUMN "submitted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "deadline_seconds" integer DEFAULT 900 NOT NULL;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "upstream_nano_usd" bigint;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "upstream_units" text;--> statement-breakpoint
CREATE INDEX "video_attempts_recent" ON "video_attempts" USING btree ("provider","started_at");