CREATE TABLE "alerts" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"kind" text NOT NULL,
	"amount_nano_usd" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"crossed_period" text,
	"crossed_at" timestamp with time zone,
	"crossed_nano_usd" bigint
);
--> statement-breakpoint
ALTER TABLE "usage_durations" ADD COLUMN "first_count" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_threshold" ON "alerts" USING btree ("org_id","mode","kind","amount_nano_usd");--> statement-breakpoint
CREATE INDEX "alerts_list" ON "alerts" USING btree ("org_id","mode","created_at");--> statement-breakpoint
CREATE INDEX "ledger_entries_transfers" ON "ledger_entries" USING btree ("org_id","mode","id") WHERE "ledger_entries"."kind" in ('grant', 'adjust', 'refund');--> statement-breakpoint
CREATE INDEX "messages_hold" ON "messages" USING btree ("hold_id") WHERE "messages"."hold_id" is not null;--> statement-breakpoint
-- custom
-- The times to the first content of the messages so far.
INSERT INTO "usage_durations" AS histogram ("org_id", "mode", "model", "day", "provider", "bucket", "first_count")
SELECT m.org_id, m.mode, m.model, (coalesce(h.resolved_at, m.created_at) AT TIME ZONE 'UTC')::date, m.provider, round(ln(greatest((m.first_token_ms / 1000.0)::float8, 0.001)) / ln(1.1))::smallint, count(*)
FROM "messages" m LEFT JOIN "holds" h ON h.id = m.hold_id
WHERE m.outcome = 'completed' AND m.provider IS NOT NULL AND m.first_token_ms IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6
ON CONFLICT ("org_id", "mode", "model", "day", "provider", "bucket") DO UPDATE SET first_count = histogram.first_count + excluded.first_count;
