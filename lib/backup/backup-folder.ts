import path from 'node:path';
import { z } from 'zod';

// A backup is a folder. It contains `manifest.json`, which is written last and makes it complete; `tables`, with a
// compressed file for each table and one row of JSON per line; and `secrets.json` and `files`, if the installation has
// them on this machine. All rows are from one moment. docs/operating.md describes backups for operators.

const VERSION = 1;

export type BackupManifest = z.infer<typeof manifestSchema>;
export const manifestSchema = z.object({
  format: z.literal('patchbay-backup'),
  version: z.literal(VERSION),
  /** The version of Patchbay that wrote it. */
  patchbay: z.string(),
  created_at: z.iso.datetime(),
  /** When the last migration of the database was made, in milliseconds since 1970. */
  migration: z.int(),
  /** In the order in which they can be filled. */
  tables: z.array(z.object({ name: z.string().regex(/^[a-z_]+$/), rows: z.int() })),
  has_secrets: z.boolean(),
  /** The folders below `files`. */
  files: z.array(z.object({ name: z.enum(['providers', 'archive']), count: z.int(), bytes: z.int() })),
});

/** Thrown if a backup cannot be written or restored. The message is a sentence for the operator. */
export class BackupError extends Error {}

/** The paths below the folder of a backup. */
export const pathsIn = (directory: string) => ({
  manifest: path.join(directory, 'manifest.json'),
  secrets: path.join(directory, 'secrets.json'),
  tables: path.join(directory, 'tables'),
  table: (name: string) => path.join(directory, 'tables', `${name}.ndjson.gz`),
  files: (name: string) => path.join(directory, 'files', name),
});
