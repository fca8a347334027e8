CREATE TABLE "running_videos" (
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"key_id" text NOT NULL,
	"running" integer NOT NULL,
	CONSTRAINT "running_videos_org_id_mode_key_id_pk" PRIMARY KEY("org_id","mode","key_id")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "running_videos" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- custom
UPDATE "accounts" SET "running_videos" = running.count FROM (
  SELECT org_id, mode, count(*) FROM holds WHERE subject_kind = 'video' AND state = 'open' GROUP BY org_id, mode
) AS running WHERE accounts.org_id = running.org_id AND accounts.mode = running.mode;--> statement-breakpoint
INSERT INTO "running_videos" (org_id, mode, key_id, running)
SELECT org_id, mode, key_id, count(*) FROM holds WHERE subject_kind = 'video' AND state = 'open' GROUP BY org_id, mode, key_id;--> statement-breakpoint
-- Every submission and every end of a video rewrites its row, so the space of old versions must be reused soon.
ALTER TABLE "running_videos" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
