DROP INDEX "meters_account";--> statement-breakpoint
ALTER TABLE "meters" ADD COLUMN "unit_price" text;--> statement-breakpoint
ALTER TABLE "meters" ADD COLUMN "code" text;--> statement-breakpoint
ALTER TABLE "meters" ADD COLUMN "first_result_ms" integer;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "prices" jsonb;--> statement-breakpoint
CREATE INDEX "meters_list" ON "meters" USING btree ("org_id","mode","kind","started_at","id");--> statement-breakpoint
CREATE INDEX "meters_list_model" ON "meters" USING btree ("org_id","mode","kind","model","started_at","id");--> statement-breakpoint
CREATE INDEX "meters_list_provider" ON "meters" USING btree ("org_id","mode","kind","provider","started_at","id");--> statement-breakpoint
CREATE INDEX "meters_list_key" ON "meters" USING btree ("key_id","mode","kind","started_at","id");--> statement-breakpoint
CREATE INDEX "meters_list_outcome" ON "meters" USING btree ("org_id","mode","kind","outcome","started_at","id") WHERE "meters"."outcome" is null or "meters"."outcome" <> 'done';--> statement-breakpoint
CREATE INDEX "meters_list_code" ON "meters" USING btree ("org_id","mode","kind","code","started_at","id") WHERE "meters"."code" is not null;--> statement-breakpoint
CREATE INDEX "messages_list_model" ON "messages" USING btree ("org_id","mode","model","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_list_provider" ON "messages" USING btree ("org_id","mode","provider","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_list_key" ON "messages" USING btree ("key_id","mode","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_list_outcome" ON "messages" USING btree ("org_id","mode","outcome","created_at","id") WHERE "messages"."outcome" <> 'completed';--> statement-breakpoint
CREATE INDEX "messages_list_code" ON "messages" USING btree ("org_id","mode","code","created_at","id") WHERE "messages"."code" is not null;--> statement-breakpoint
CREATE INDEX "messages_request" ON "messages" USING btree ("org_id","request_id");--> statement-breakpoint
CREATE INDEX "videos_list_provider" ON "videos" USING btree ("org_id","mode","provider","created_at","id") WHERE "videos"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "videos_list_code" ON "videos" USING btree ("org_id","mode","error_code","created_at","id") WHERE "videos"."deleted_at" is null and "videos"."error_code" is not null;