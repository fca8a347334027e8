ALTER TABLE "socket_tickets" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "socket_tickets" ADD COLUMN "session_version" integer;