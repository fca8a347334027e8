import type { Readable } from 'node:stream';
import type { OpenSource } from '../../lib/domain/files';

/** A source that can be read once, from its beginning. */
export function wholeFile(body: Readable): OpenSource {
  return async () => ({ status: 200, start: 0, body });
}
