CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"prefix" text NOT NULL,
	"last_four" text NOT NULL,
	"scopes" text[] NOT NULL,
	"allowed_models" text[],
	"allowed_providers" text[],
	"allowed_endpoints" text[],
	"allowed_addresses" text[],
	"limit_nano_usd" bigint,
	"limit_period" text,
	"created_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"disabled_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"rotated_from" text
);
--> statement-breakpoint
CREATE TABLE "key_spend" (
	"key_id" text NOT NULL,
	"period" text NOT NULL,
	"spent_nano_usd" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "key_spend_key_id_period_pk" PRIMARY KEY("key_id","period")
);
--> statement-breakpoint
CREATE TABLE "members" (
	"org_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_org_id_user_id_pk" PRIMARY KEY("org_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"suspended_at" timestamp with time zone,
	"webhook_secret" text NOT NULL,
	"previous_webhook_secret" text,
	"previous_webhook_secret_until" timestamp with time zone,
	"replay_retries" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"password_hash" text,
	"session_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"available_nano_usd" bigint DEFAULT 0 NOT NULL,
	"held_nano_usd" bigint DEFAULT 0 NOT NULL,
	"spent_nano_usd" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "accounts_org_id_mode_pk" PRIMARY KEY("org_id","mode"),
	CONSTRAINT "accounts_available_not_negative" CHECK ("accounts"."available_nano_usd" >= 0),
	CONSTRAINT "accounts_held_not_negative" CHECK ("accounts"."held_nano_usd" >= 0)
);
--> statement-breakpoint
CREATE TABLE "holds" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"key_id" text NOT NULL,
	"key_period" text,
	"subject_kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"amount_nano_usd" bigint NOT NULL,
	"captured_nano_usd" bigint DEFAULT 0 NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "holds_amount_not_negative" CHECK ("holds"."amount_nano_usd" >= 0),
	CONSTRAINT "holds_captured_within" CHECK ("holds"."captured_nano_usd" >= 0 and "holds"."captured_nano_usd" <= "holds"."amount_nano_usd")
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"transfer_id" text NOT NULL,
	"kind" text NOT NULL,
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"bucket" text NOT NULL,
	"amount_nano_usd" bigint NOT NULL,
	"hold_id" text,
	"reference" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"route" text NOT NULL,
	"key" text NOT NULL,
	"body_hash" text NOT NULL,
	"video_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_org_id_mode_route_key_pk" PRIMARY KEY("org_id","mode","route","key")
);
--> statement-breakpoint
CREATE TABLE "video_attempts" (
	"video_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"provider" text NOT NULL,
	"upstream_model" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"outcome" text DEFAULT 'unknown' NOT NULL,
	"code" text,
	CONSTRAINT "video_attempts_video_id_attempt_pk" PRIMARY KEY("video_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "videos" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"key_id" text NOT NULL,
	"mode" text NOT NULL,
	"request_id" text NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"model" text NOT NULL,
	"candidates" jsonb NOT NULL,
	"order" jsonb,
	"scenario" text,
	"seconds" text NOT NULL,
	"size" text NOT NULL,
	"quote_nano_usd" bigint NOT NULL,
	"quote_lines" jsonb NOT NULL,
	"cost_nano_usd" bigint,
	"hold_id" text NOT NULL,
	"provider" text,
	"upstream_model" text,
	"provider_job_id" text,
	"receipt" jsonb,
	"start_attempt" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone,
	"deadline_at" timestamp with time zone NOT NULL,
	"file" jsonb,
	"public_url" text,
	"width" integer,
	"height" integer,
	"fps" double precision,
	"duration_seconds" double precision,
	"error_code" text,
	"error_message" text,
	"expires_at" timestamp with time zone,
	"webhook_url" text,
	"body_hash" text NOT NULL,
	"answer_cut" boolean DEFAULT false NOT NULL,
	"polled_at" timestamp with time zone,
	"replayed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp with time zone,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"delivery_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"latency_ms" integer NOT NULL,
	"status" integer,
	"address" text,
	"snippet" text,
	"error" text,
	CONSTRAINT "webhook_attempts_delivery_id_attempt_pk" PRIMARY KEY("delivery_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"video_id" text NOT NULL,
	"event" text NOT NULL,
	"url" text NOT NULL,
	"body" text,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_spend" ADD CONSTRAINT "key_spend_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "video_attempts" ADD CONSTRAINT "video_attempts_video_id_videos_id_fk" FOREIGN KEY ("video_id") REFERENCES "public"."videos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_org" ON "api_keys" USING btree ("org_id","created_at");--> statement-breakpoint
CREATE INDEX "members_user" ON "members" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "holds_subject" ON "holds" USING btree ("subject_kind","subject_id");--> statement-breakpoint
CREATE INDEX "holds_open" ON "holds" USING btree ("org_id","mode") WHERE "holds"."state" = 'open';--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("org_id","mode","id");--> statement-breakpoint
CREATE INDEX "ledger_entries_transfer" ON "ledger_entries" USING btree ("transfer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_grant_once" ON "ledger_entries" USING btree ("org_id","mode","reference","bucket") WHERE "ledger_entries"."reference" is not null;--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "idempotency_keys_video" ON "idempotency_keys" USING btree ("video_id");--> statement-breakpoint
CREATE INDEX "videos_list" ON "videos" USING btree ("org_id","mode","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "videos_retry" ON "videos" USING btree ("key_id","body_hash","created_at");--> statement-breakpoint
CREATE INDEX "videos_running" ON "videos" USING btree ("status") WHERE "videos"."status" in ('queued', 'in_progress');--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_video" ON "webhook_deliveries" USING btree ("video_id","event");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_list" ON "webhook_deliveries" USING btree ("org_id","mode","created_at" DESC NULLS LAST);