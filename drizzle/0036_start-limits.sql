CREATE TABLE "start_limits" (
	"queue" text PRIMARY KEY NOT NULL,
	"running" integer NOT NULL,
	"running_at_account" integer NOT NULL,
	"step" integer NOT NULL,
	"raise_at" timestamp with time zone NOT NULL,
	"earliest_at" timestamp with time zone NOT NULL,
	"pause_ms" integer NOT NULL,
	"refused_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "waiting_starts" ADD COLUMN "refused_at" timestamp with time zone;