CREATE TABLE "jobs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "jobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"mode" text NOT NULL,
	"org_id" text NOT NULL,
	"place" text NOT NULL,
	"payload" jsonb NOT NULL,
	"subject" text NOT NULL,
	"turn" bigint,
	"due_at" timestamp with time zone,
	"waits_since" timestamp with time zone DEFAULT now() NOT NULL,
	"leased_until" timestamp with time zone,
	"run" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("kind","due_at") WHERE "jobs"."leased_until" is null and "jobs"."turn" is null;--> statement-breakpoint
CREATE INDEX "jobs_line" ON "jobs" USING btree ("kind","place","mode","turn") WHERE "jobs"."leased_until" is null and "jobs"."turn" is not null;--> statement-breakpoint
CREATE INDEX "jobs_line_org" ON "jobs" USING btree ("org_id","kind","place","mode","turn") WHERE "jobs"."leased_until" is null and "jobs"."turn" is not null;--> statement-breakpoint
CREATE INDEX "jobs_leased" ON "jobs" USING btree ("leased_until") WHERE "jobs"."leased_until" is not null;--> statement-breakpoint
CREATE INDEX "jobs_subject" ON "jobs" USING btree ("subject");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_single" ON "jobs" USING btree ("subject","kind") WHERE "jobs"."leased_until" is null and "jobs"."kind" in ('video.check', 'video.archive');--> statement-breakpoint
-- custom
-- Every job rewrites its row several times, so the space of old versions must be reused soon.
ALTER TABLE "jobs" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
-- Moves the jobs of versions that used pg-boss. A running one keeps what is left of its lease of 30 seconds.
DO $$
BEGIN
  IF to_regclass('pgboss.job') IS NULL THEN RETURN; END IF;
  INSERT INTO jobs (kind, mode, org_id, place, payload, subject, due_at, failures)
  SELECT job.name, coalesce(v.mode, d.mode), coalesce(v.org_id, d.org_id),
    coalesce(v.provider, v.candidates -> 0 ->> 'provider', substring(d.url from '^[a-z]+://([^/?#]+)')),
    job.data, coalesce(v.id, d.id),
    CASE WHEN job.state = 'active' THEN greatest(job.started_on + interval '30 seconds', now()) ELSE job.start_after END,
    job.retry_count + CASE WHEN job.state = 'active' THEN 1 ELSE 0 END
  FROM pgboss.job
  LEFT JOIN videos v ON v.id = job.data ->> 'videoId'
  LEFT JOIN webhook_deliveries d ON d.id = job.data ->> 'deliveryId'
  WHERE job.state < 'completed' AND coalesce(v.id, d.id) IS NOT NULL
  ORDER BY job.start_after
  ON CONFLICT DO NOTHING;
  DROP SCHEMA pgboss CASCADE;
END $$;
