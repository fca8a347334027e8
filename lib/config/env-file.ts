import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Reads the variables of a `.env` file, if it exists. Variables of the environment override them. */
export function readEnvFile(file: string): Record<string, string | undefined> {
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
