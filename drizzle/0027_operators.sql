ALTER TABLE "audit_entries" ALTER COLUMN "org_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "operator_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "by_operator" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Until now the operator was whoever is neither a person nor a key.
UPDATE "audit_entries" SET "by_operator" = true WHERE "user_id" IS NULL AND "key_id" IS NULL;--> statement-breakpoint
CREATE INDEX "audit_entries_operator" ON "audit_entries" USING btree ("at","id") WHERE "audit_entries"."by_operator";