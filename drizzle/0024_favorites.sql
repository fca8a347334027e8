CREATE TABLE "favorite_videos" (
	"owner_id" text NOT NULL,
	"video_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "favorite_videos_owner_id_video_id_pk" PRIMARY KEY("owner_id","video_id")
);
--> statement-breakpoint
ALTER TABLE "favorite_videos" ADD CONSTRAINT "favorite_videos_video_id_videos_id_fk" FOREIGN KEY ("video_id") REFERENCES "public"."videos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "favorite_videos_video" ON "favorite_videos" USING btree ("video_id");