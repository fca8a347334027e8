CREATE TABLE "provider_credentials" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"provider" text NOT NULL,
	"sealed" text,
	"last_four" text NOT NULL,
	"created_by" text,
	"created_at" timestamp with time zone NOT NULL,
	"verified_at" timestamp with time zone,
	"verification" text,
	"removed_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "video_attempts" ADD COLUMN "credential_id" text;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "credential_id" text;--> statement-breakpoint
ALTER TABLE "provider_credentials" ADD CONSTRAINT "provider_credentials_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_credentials" ADD CONSTRAINT "provider_credentials_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "provider_credentials_active" ON "provider_credentials" USING btree ("org_id","provider") WHERE "provider_credentials"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "provider_credentials_removed" ON "provider_credentials" USING btree ("removed_at") WHERE "provider_credentials"."removed_at" is not null and "provider_credentials"."sealed" is not null;