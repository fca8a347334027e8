import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** The variables of an optional `.env` file; variables of the environment override them. */
export function readEnvFile(file: string): Record<string, string | undefined> {
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
