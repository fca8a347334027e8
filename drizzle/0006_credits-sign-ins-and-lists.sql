CREATE TABLE "chores" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credit_transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"kind" text NOT NULL,
	"amount_nano_usd" bigint NOT NULL,
	"subject" text,
	"reference" text NOT NULL,
	"reason" text NOT NULL,
	"available_nano_usd" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "credit_transfers_amount" CHECK ("credit_transfers"."amount_nano_usd" > 0 or ("credit_transfers"."kind" = 'adjust' and "credit_transfers"."amount_nano_usd" < 0)),
	CONSTRAINT "credit_transfers_subject_of_refund" CHECK ("credit_transfers"."subject" is null or "credit_transfers"."kind" = 'refund')
);
--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"origin_id" text NOT NULL,
	"session_version" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "messages_list";--> statement-breakpoint
DROP INDEX "videos_list";--> statement-breakpoint
DROP INDEX "webhook_deliveries_list";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "role" text DEFAULT 'admin' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "by_operator" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "spend_key_id" text;--> statement-breakpoint
ALTER TABLE "socket_tickets" ADD COLUMN "sign_in_origin" text;--> statement-breakpoint
ALTER TABLE "credit_transfers" ADD CONSTRAINT "credit_transfers_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "credit_transfers_reference" ON "credit_transfers" USING btree ("org_id","mode","reference");--> statement-breakpoint
CREATE INDEX "credit_transfers_account" ON "credit_transfers" USING btree ("org_id","mode","created_at","id");--> statement-breakpoint
CREATE INDEX "credit_transfers_subject" ON "credit_transfers" USING btree ("subject") WHERE "credit_transfers"."subject" is not null;--> statement-breakpoint
CREATE INDEX "sign_ins_user" ON "sign_ins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_ins_origin" ON "sign_ins" USING btree ("origin_id");--> statement-breakpoint
CREATE INDEX "organizations_list" ON "organizations" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "meters_session" ON "meters" USING btree ("session_id");--> statement-breakpoint
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
CREATE INDEX "webhook_deliveries_list" ON "webhook_deliveries" USING btree ("org_id","mode","created_at","id");--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_spent_not_negative" CHECK ("accounts"."spent_nano_usd" >= 0);