CREATE TABLE "credit_transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"mode" text NOT NULL,
	"kind" text NOT NULL,
	"amount_nano_usd" bigint NOT NULL,
	"subject" text,
	"reference" text NOT NULL,
	"reason" text NOT NULL,
	"available_nano_usd" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "credit_transfers_amount" CHECK ("credit_transfers"."amount_nano_usd" > 0 or ("credit_transfers"."kind" = 'adjust' and "credit_transfers"."amount_nano_usd" < 0)),
	CONSTRAINT "credit_transfers_subject_of_refund" CHECK ("credit_transfers"."subject" is null or "credit_transfers"."kind" = 'refund')
);
--> statement-breakpoint
ALTER TABLE "credit_transfers" ADD CONSTRAINT "credit_transfers_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "credit_transfers_reference" ON "credit_transfers" USING btree ("org_id","mode","reference");--> statement-breakpoint
CREATE INDEX "credit_transfers_account" ON "credit_transfers" USING btree ("org_id","mode","created_at","id");--> statement-breakpoint
CREATE INDEX "credit_transfers_subject" ON "credit_transfers" USING btree ("subject") WHERE "credit_transfers"."subject" is not null;--> statement-breakpoint
CREATE INDEX "meters_session" ON "meters" USING btree ("session_id");--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_spent_not_negative" CHECK ("accounts"."spent_nano_usd" >= 0);