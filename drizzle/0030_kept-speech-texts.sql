CREATE TABLE "session_contents" (
	"meter_id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"request" text,
	"answer" text,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "keep_speech_days" integer;--> statement-breakpoint
CREATE INDEX "session_contents_org" ON "session_contents" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "session_contents_age" ON "session_contents" USING btree ("expires_at");