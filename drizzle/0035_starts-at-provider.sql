DROP INDEX CONCURRENTLY IF EXISTS "video_attempts_open";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "video_attempts_open" ON "video_attempts" USING btree ("provider") WHERE "video_attempts"."ended_at" is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "videos_started_at";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "videos_started_at" ON "videos" USING btree ("provider") WHERE "videos"."status" in ('queued', 'in_progress') and "videos"."receipt" is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "videos_at_provider";