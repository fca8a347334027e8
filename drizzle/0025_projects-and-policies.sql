CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"name" text NOT NULL,
	"limit_nano_usd" bigint,
	"limit_period" text,
	"allowed_models" text[],
	"allowed_providers" text[],
	"allowed_endpoints" text[],
	"allowed_addresses" text[],
	"max_request_nano_usd" bigint,
	"max_minute_nano_usd" bigint,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "spending" (
	"scope_id" text NOT NULL,
	"mode" text NOT NULL,
	"period" text NOT NULL,
	"spent_nano_usd" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "spending_scope_id_mode_period_pk" PRIMARY KEY("scope_id","mode","period")
);
--> statement-breakpoint
-- custom
-- Before the old table is dropped: what the keys have spent stays counted.
INSERT INTO "spending" ("scope_id", "mode", "period", "spent_nano_usd")
SELECT s.key_id, k.mode, s.period, s.spent_nano_usd FROM "key_spend" s JOIN "api_keys" k ON k.id = s.key_id;--> statement-breakpoint
DROP TABLE "key_spend" CASCADE;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "project_id" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "max_request_nano_usd" bigint;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "max_minute_nano_usd" bigint;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "allowed_models" text[];--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "allowed_providers" text[];--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "allowed_endpoints" text[];--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "allowed_addresses" text[];--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "max_request_nano_usd" bigint;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "max_minute_nano_usd" bigint;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "project_id" text;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "project_period" text;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "projects_name" ON "projects" USING btree ("org_id",lower("name"));--> statement-breakpoint
CREATE INDEX "spending_period" ON "spending" USING btree ("period") WHERE "spending"."period" <> 'total';--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_project" ON "api_keys" USING btree ("project_id") WHERE "api_keys"."project_id" is not null;