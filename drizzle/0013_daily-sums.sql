CREATE TABLE "ledger_days" (
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"day" date NOT NULL,
	"bucket" text NOT NULL,
	"amount_nano_usd" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "ledger_days_org_id_mode_day_bucket_pk" PRIMARY KEY("org_id","mode","day","bucket")
);
--> statement-breakpoint
CREATE TABLE "usage_days" (
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"key_id" text NOT NULL,
	"model" text NOT NULL,
	"provider" text NOT NULL,
	"finished" bigint DEFAULT 0 NOT NULL,
	"succeeded" bigint DEFAULT 0 NOT NULL,
	"excused" bigint DEFAULT 0 NOT NULL,
	"cost_nano_usd" bigint DEFAULT 0 NOT NULL,
	"refunded_nano_usd" bigint DEFAULT 0 NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"cache_read_tokens" bigint DEFAULT 0 NOT NULL,
	"cache_write_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"media_millis" bigint DEFAULT 0 NOT NULL,
	"characters" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_days_org_id_mode_day_kind_key_id_model_provider_pk" PRIMARY KEY("org_id","mode","day","kind","key_id","model","provider")
);
--> statement-breakpoint
CREATE TABLE "usage_durations" (
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"model" text NOT NULL,
	"day" date NOT NULL,
	"provider" text NOT NULL,
	"bucket" smallint NOT NULL,
	"count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_durations_org_id_mode_model_day_provider_bucket_pk" PRIMARY KEY("org_id","mode","model","day","provider","bucket")
);
--> statement-breakpoint
DROP INDEX "messages_key";--> statement-breakpoint
DROP INDEX "videos_inputs";--> statement-breakpoint
DROP INDEX "webhook_attempts_age";--> statement-breakpoint
CREATE INDEX "usage_days_model" ON "usage_days" USING btree ("org_id","mode","model","day");--> statement-breakpoint
CREATE INDEX "usage_durations_day" ON "usage_durations" USING btree ("day");--> statement-breakpoint
CREATE INDEX "key_spend_period" ON "key_spend" USING btree ("period") WHERE "key_spend"."period" <> 'total';--> statement-breakpoint
CREATE INDEX "holds_resolved" ON "holds" USING btree ("resolved_at") WHERE "holds"."state" <> 'open';--> statement-breakpoint
CREATE INDEX "messages_age" ON "messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "videos_requests" ON "videos" USING btree ("status","completed_at") WHERE ("videos"."order" is not null or "videos"."request" is not null) and "videos"."completed_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_finished" ON "webhook_deliveries" USING btree ("finished_at") WHERE "webhook_deliveries"."finished_at" is not null;--> statement-breakpoint
-- custom
-- The daily sums of the work so far. Each charge is of the day on which its hold was resolved, as in the ledger.
INSERT INTO "usage_days" ("org_id", "mode", "day", "kind", "key_id", "model", "provider", "finished", "succeeded", "excused", "cost_nano_usd", "media_millis")
SELECT v.org_id, v.mode, (coalesce(h.resolved_at, v.completed_at) AT TIME ZONE 'UTC')::date, 'video', v.key_id, v.model, coalesce(v.provider, ''), count(*),
  count(*) FILTER (WHERE v.status = 'completed'),
  count(*) FILTER (WHERE v.status = 'failed' AND v.error_code IN ('cancelled', 'content_policy_violation', 'media_invalid', 'media_unreachable', 'media_too_large', 'input_seconds_mismatch')),
  coalesce(sum(v.cost_nano_usd), 0),
  coalesce(sum(round(coalesce(v.duration_seconds, v.seconds::float8) * 1000)) FILTER (WHERE v.status = 'completed'), 0)
FROM "videos" v LEFT JOIN "holds" h ON h.id = v.hold_id WHERE v.completed_at IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7;
--> statement-breakpoint
INSERT INTO "usage_days" ("org_id", "mode", "day", "kind", "key_id", "model", "provider", "finished", "succeeded", "cost_nano_usd", "input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")
SELECT m.org_id, m.mode, (coalesce(h.resolved_at, m.created_at) AT TIME ZONE 'UTC')::date, 'message', m.key_id, m.model, coalesce(m.provider, ''), count(*),
  count(*) FILTER (WHERE m.outcome = 'completed'), sum(m.cost_nano_usd), sum(m.input_tokens), sum(m.cache_read_tokens), sum(m.cache_write_5m_tokens + m.cache_write_1h_tokens), sum(m.output_tokens)
FROM "messages" m LEFT JOIN "holds" h ON h.id = m.hold_id GROUP BY 1, 2, 3, 4, 5, 6, 7;
--> statement-breakpoint
INSERT INTO "usage_days" ("org_id", "mode", "day", "kind", "key_id", "model", "provider", "finished", "succeeded", "cost_nano_usd", "media_millis", "characters")
SELECT m.org_id, m.mode, (coalesce(h.resolved_at, m.ended_at) AT TIME ZONE 'UTC')::date, m.kind, m.key_id, m.model, m.provider, count(*),
  count(*) FILTER (WHERE m.outcome <> 'failed'), sum(m.cost_nano_usd), sum(m.audio_millis), sum(m.characters)
FROM "meters" m LEFT JOIN "holds" h ON h.id = m.hold_id WHERE m.ended_at IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7;
--> statement-breakpoint
-- Refunds, with the key and model of their work. A session has one row for each text that was spoken; the first stands for it.
INSERT INTO "usage_days" ("org_id", "mode", "day", "kind", "key_id", "model", "provider", "refunded_nano_usd")
SELECT e.org_id, e.mode, (e.created_at AT TIME ZONE 'UTC')::date, coalesce(work.kind, ''), coalesce(work.key_id, ''), coalesce(work.model, ''), coalesce(work.provider, ''), -sum(e.amount_nano_usd)
FROM "ledger_entries" e JOIN "credit_transfers" t ON t.id = e.transfer_id LEFT JOIN LATERAL (
  SELECT 'video' AS kind, v.key_id, v.model, v.provider FROM "videos" v WHERE v.id = t.subject
  UNION ALL SELECT 'message', m.key_id, m.model, m.provider FROM "messages" m WHERE m.id = t.subject
  UNION ALL (SELECT m.kind, m.key_id, m.model, m.provider FROM "meters" m WHERE m.session_id = t.subject LIMIT 1)
) work ON true WHERE e.kind = 'refund' AND e.bucket = 'revenue' GROUP BY 1, 2, 3, 4, 5, 6, 7
ON CONFLICT ("org_id", "mode", "day", "kind", "key_id", "model", "provider") DO UPDATE SET refunded_nano_usd = "usage_days".refunded_nano_usd + excluded.refunded_nano_usd;
--> statement-breakpoint
-- A charge without a row of its work still belongs to its day.
INSERT INTO "usage_days" ("org_id", "mode", "day", "kind", "key_id", "model", "provider", "cost_nano_usd")
SELECT org_id, mode, day, '', '', '', '', sum(amount) FROM (
  SELECT org_id, mode, (created_at AT TIME ZONE 'UTC')::date AS day, amount_nano_usd AS amount FROM "ledger_entries" WHERE bucket = 'revenue'
  UNION ALL SELECT org_id, mode, day, refunded_nano_usd - cost_nano_usd FROM "usage_days"
) both_sides GROUP BY 1, 2, 3 HAVING sum(amount) <> 0
ON CONFLICT ("org_id", "mode", "day", "kind", "key_id", "model", "provider") DO UPDATE SET cost_nano_usd = "usage_days".cost_nano_usd + excluded.cost_nano_usd;
--> statement-breakpoint
INSERT INTO "usage_durations" ("org_id", "mode", "model", "day", "provider", "bucket", "count")
SELECT org_id, mode, model, day, provider, round(ln(greatest(seconds, 0.001)) / ln(1.1))::smallint, count(*) FROM (
  SELECT v.org_id, v.mode, v.model, (coalesce(h.resolved_at, v.completed_at) AT TIME ZONE 'UTC')::date AS day, v.provider, extract(epoch FROM v.completed_at - v.created_at)::float8 AS seconds
  FROM "videos" v LEFT JOIN "holds" h ON h.id = v.hold_id WHERE v.status = 'completed'
  UNION ALL
  SELECT m.org_id, m.mode, m.model, (coalesce(h.resolved_at, m.created_at) AT TIME ZONE 'UTC')::date, m.provider, (m.total_ms / 1000.0)::float8
  FROM "messages" m LEFT JOIN "holds" h ON h.id = m.hold_id WHERE m.outcome = 'completed'
) work WHERE provider IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6;
