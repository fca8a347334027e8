DROP INDEX CONCURRENTLY IF EXISTS "video_attempts_submitted";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "video_attempts_submitted" ON "video_attempts" USING btree ("provider","submitted_at") WHERE "video_attempts"."submitted_at" is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "video_attempts_recent";