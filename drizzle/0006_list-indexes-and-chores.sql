CREATE TABLE "chores" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "messages_list";--> statement-breakpoint
DROP INDEX "videos_list";--> statement-breakpoint
DROP INDEX "webhook_deliveries_list";--> statement-breakpoint
CREATE INDEX "holds_open_messages" ON "holds" USING btree ("created_at","id") WHERE "holds"."subject_kind" = 'message' and "holds"."state" = 'open';--> statement-breakpoint
CREATE INDEX "audit_entries_age" ON "audit_entries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "videos_list_status" ON "videos" USING btree ("org_id","mode","status","created_at","id") WHERE "videos"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "videos_list_model" ON "videos" USING btree ("org_id","mode","model","created_at","id");--> statement-breakpoint
CREATE INDEX "videos_list_key" ON "videos" USING btree ("key_id","mode","created_at","id") WHERE "videos"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "videos_provider_job" ON "videos" USING btree ("provider_job_id") WHERE "videos"."provider_job_id" is not null;--> statement-breakpoint
CREATE INDEX "videos_files" ON "videos" USING btree ("expires_at","id") WHERE "videos"."file" is not null;--> statement-breakpoint
CREATE INDEX "videos_failed_traces" ON "videos" USING btree ("completed_at","id") WHERE "videos"."status" = 'failed' and "videos"."receipt" is not null;--> statement-breakpoint
CREATE INDEX "videos_deleted_traces" ON "videos" USING btree ("deleted_at","id") WHERE "videos"."deleted_at" is not null and ("videos"."file" is not null or "videos"."receipt" is not null);--> statement-breakpoint
CREATE INDEX "videos_inputs" ON "videos" USING btree ("status","completed_at") WHERE "videos"."order" is not null and "videos"."completed_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_attempts_age" ON "webhook_attempts" USING btree ("at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("created_at") WHERE "webhook_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "messages_list" ON "messages" USING btree ("org_id","mode","created_at","id");--> statement-breakpoint
CREATE INDEX "videos_list" ON "videos" USING btree ("org_id","mode","created_at","id") WHERE "videos"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_list" ON "webhook_deliveries" USING btree ("org_id","mode","created_at","id");