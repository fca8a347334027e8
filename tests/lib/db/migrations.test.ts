import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../support/earlier-migrations';
import { findUnsafe } from '../../support/migration-rules';

// Every migration can be applied while processes of the version before answer requests.

/**
 * The migrations that lead to version 0.1.0. No version before it was released, so none can be running. Until 0.1.0 is
 * released, raise it with each migration that breaks a rule; after that, never.
 */
const LAST_BEFORE_FIRST_RELEASE = 27;

/** Statements that break a rule and may: by migration and the beginning of the statement, with the reason. */
const allowed: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

// Safe: drizzle's own file.
const { entries } = JSON.parse(readFileSync(path.join(migrations, 'meta/_journal.json'), 'utf8')) as {
  entries: readonly { readonly idx: number; readonly tag: string }[];
};

describe('the migrations', () => {
  it('after the first release are safe under a rolling restart', () => {
    const unsafe = entries
      .filter(({ idx }) => idx > LAST_BEFORE_FIRST_RELEASE)
      .flatMap(({ tag }) =>
        findUnsafe(readFileSync(path.join(migrations, `${tag}.sql`), 'utf8'))
          .filter(({ statement }) => !Object.keys(allowed[tag] ?? {}).some((begin) => statement.startsWith(begin)))
          .map(({ rule, statement }) => `${tag} ${rule}: ${statement}`),
      );
    expect(unsafe).toEqual([]);
  });

  it('that are allowed to break a rule exist', () => {
    const tags = entries.map(({ tag }) => tag);
    expect(Object.keys(allowed).filter((tag) => !tags.includes(tag))).toEqual([]);
  });
});

describe('the rules', () => {
  it.each([
    ['drop table "videos"', 'removes'],
    ['ALTER TABLE "videos" DROP COLUMN "seed";', 'removes'],
    ['ALTER TABLE "videos" DROP CONSTRAINT "positive"', 'removes'],
    ['ALTER TABLE "videos" ALTER COLUMN "status" DROP DEFAULT', 'removes a default'],
    ['ALTER TABLE "videos" RENAME COLUMN "seed" TO "seeds"', 'renames'],
    ['ALTER TABLE "videos" RENAME TO "films"', 'renames'],
    ['ALTER TABLE "videos" ADD COLUMN "seed" integer NOT NULL', 'requires a value'],
    ['ALTER TABLE "videos" ALTER COLUMN "seed" SET NOT NULL', 'requires a value'],
    ['ALTER TABLE "videos" ALTER COLUMN "seed" SET DATA TYPE bigint', 'rewrites'],
    ['ALTER TABLE "videos" ADD CONSTRAINT "positive" CHECK (seed > 0)', 'checks all rows'],
    ['ALTER TABLE "videos" ADD CONSTRAINT "f" FOREIGN KEY ("key_id") REFERENCES "api_keys"("id")', 'checks all rows'],
    ['CREATE INDEX "videos_seed" ON "videos" USING btree ("seed")', 'stops writes'],
    ['CREATE UNIQUE INDEX "videos_seed" ON "videos" ("seed")', 'stops writes'],
    ['DROP INDEX "videos_list"', 'removes an index'],
    ['UPDATE "videos" SET "seed" = 1', 'changes many rows'],
    ['delete from videos', 'changes many rows'],
    ['lock table videos', 'locks'],
    ['CREATE INDEX CONCURRENTLY "videos_seed" ON "videos" ("seed")', 'cannot be repeated'],
    [
      'DROP INDEX CONCURRENTLY IF EXISTS "a";--> statement-breakpoint\nCREATE INDEX CONCURRENTLY "a" ON "videos" ("seed");--> statement-breakpoint\nALTER TABLE "videos" ADD COLUMN "b" text',
      'is in one migration with',
    ],
  ])('refuse %s', (file, rule) => {
    expect(findUnsafe(file).map((each) => each.rule)).toEqual([expect.stringMatching(new RegExp(`^${rule}`))]);
  });

  it.each([
    'ALTER TABLE "videos" ADD COLUMN "seed" integer',
    `ALTER TABLE "videos" ADD COLUMN "seed" integer DEFAULT 0 NOT NULL;\nALTER TABLE "videos" ADD COLUMN "kind" text NOT NULL DEFAULT 'a'`,
    'ALTER TABLE "videos" ALTER COLUMN "seed" DROP NOT NULL',
    'ALTER TABLE "videos" ADD CONSTRAINT "positive" CHECK (seed > 0) NOT VALID',
    'ALTER TABLE "videos" VALIDATE CONSTRAINT "positive"',
    'CREATE TABLE "films" ("id" text PRIMARY KEY NOT NULL, "name" text NOT NULL);--> statement-breakpoint\nCREATE INDEX "films_name" ON "films" USING btree ("name");--> statement-breakpoint\nALTER TABLE "films" ADD CONSTRAINT "c" CHECK (name <> \'\')',
    'DROP INDEX CONCURRENTLY IF EXISTS "a";--> statement-breakpoint\nCREATE INDEX CONCURRENTLY "a" ON "videos" ("seed")',
  ])('accept %s', (file) => {
    expect(findUnsafe(file)).toEqual([]);
  });

  it('find what the migrations before the first release did', () => {
    const found = entries.flatMap(({ tag }) => findUnsafe(readFileSync(path.join(migrations, `${tag}.sql`), 'utf8')));
    expect(found.length).toBeGreaterThan(0);
  });
});
