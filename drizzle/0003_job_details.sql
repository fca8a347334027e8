ALTER TABLE "video_attempts" ADD COLUMN "sent" json;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "request" json;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "ignored_params" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "checks" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "checked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "in_progress_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "ledger_entries_hold" ON "ledger_entries" USING btree ("hold_id");--> statement-breakpoint
CREATE INDEX "videos_request" ON "videos" USING btree ("org_id","request_id");