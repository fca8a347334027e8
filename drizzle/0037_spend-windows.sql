CREATE TABLE "spend_windows" (
	"name" text PRIMARY KEY NOT NULL,
	"spent" bigint NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
