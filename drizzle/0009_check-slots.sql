CREATE TABLE "check_slots" (
	"provider" text PRIMARY KEY NOT NULL,
	"next_at" timestamp with time zone NOT NULL
);
