CREATE TABLE "waiting_starts" (
	"video_id" text NOT NULL,
	"account" text NOT NULL,
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"called_at" timestamp with time zone,
	CONSTRAINT "waiting_starts_video_id_account_pk" PRIMARY KEY("video_id","account")
);
--> statement-breakpoint
ALTER TABLE "waiting_starts" ADD CONSTRAINT "waiting_starts_video_id_videos_id_fk" FOREIGN KEY ("video_id") REFERENCES "public"."videos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "waiting_starts_line" ON "waiting_starts" USING btree ("account","org_id","mode","created_at","video_id");--> statement-breakpoint
CREATE INDEX "waiting_starts_called" ON "waiting_starts" USING btree ("account","called_at") WHERE "waiting_starts"."called_at" is not null;