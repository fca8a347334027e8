CREATE TABLE "meters" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"key_id" text NOT NULL,
	"session_id" text NOT NULL,
	"model" text NOT NULL,
	"provider" text NOT NULL,
	"hold_id" text NOT NULL,
	"audio_millis" integer DEFAULT 0 NOT NULL,
	"characters" integer DEFAULT 0 NOT NULL,
	"accrued_nano_usd" bigint DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"cost_nano_usd" bigint DEFAULT 0 NOT NULL,
	"outcome" text
);
--> statement-breakpoint
CREATE TABLE "socket_tickets" (
	"hash" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"key_id" text,
	"path" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"spent_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "meters_running" ON "meters" USING btree ("checked_at") WHERE "meters"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "meters_account" ON "meters" USING btree ("org_id","mode","started_at");--> statement-breakpoint
CREATE INDEX "socket_tickets_expiry" ON "socket_tickets" USING btree ("expires_at");