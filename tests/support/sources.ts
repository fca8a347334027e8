import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project';

export interface SourceFile {
  /** Path from the project's root, such as `lib/io/lru.ts`. */
  readonly name: string;
  readonly text: string;
}

/** The files below a folder whose name ends like this; by default the TypeScript. */
export function sourcesBelow(folder: string, ending = /\.tsx?$/): SourceFile[] {
  return readdirSync(path.join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ name: path.relative(projectRoot, file), text: readFileSync(file, 'utf8') }));
}
