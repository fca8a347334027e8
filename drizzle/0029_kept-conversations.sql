CREATE TABLE "message_contents" (
	"message_id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"request" text,
	"answer" text,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "keep_messages_days" integer;--> statement-breakpoint
CREATE INDEX "message_contents_org" ON "message_contents" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "message_contents_age" ON "message_contents" USING btree ("expires_at");