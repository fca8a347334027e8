CREATE TABLE "messages" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"key_id" text NOT NULL,
	"mode" text NOT NULL,
	"request_id" text NOT NULL,
	"model" text NOT NULL,
	"provider" text,
	"upstream_model" text,
	"attempts" jsonb NOT NULL,
	"streamed" boolean NOT NULL,
	"outcome" text NOT NULL,
	"code" text,
	"stop_reason" text,
	"input_tokens" integer NOT NULL,
	"cache_read_tokens" integer NOT NULL,
	"cache_write_5m_tokens" integer NOT NULL,
	"cache_write_1h_tokens" integer NOT NULL,
	"output_tokens" integer NOT NULL,
	"web_searches" integer NOT NULL,
	"estimated" boolean NOT NULL,
	"hold_id" text,
	"cost_nano_usd" bigint NOT NULL,
	"first_token_ms" integer,
	"total_ms" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "messages_list" ON "messages" USING btree ("org_id","mode","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "messages_key" ON "messages" USING btree ("key_id","created_at");