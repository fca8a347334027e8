import { systemClock } from '../../../lib/domain/clock';
import type { MediaStoreLocation } from '../../../lib/domain/files';
import { openMediaStore } from '../../../lib/store/open-store';
import { recordLog } from '../../support/log';
import { patternFile, patternSource } from './pattern-source';

// Puts a file whose source stalls at a byte, and then waits to be killed. It prints a line when the source has stalled
// and everything before it had time to be stored.

const [location = '', bytes = '', at = '', etag = ''] = process.argv.slice(2);

async function main(): Promise<void> {
  const log = recordLog();
  // Safe: the parent wrote it with JSON.stringify.
  const store = await openMediaStore(JSON.parse(location) as MediaStoreLocation, { clock: systemClock, log });
  const stop = { at: Number(at), run: () => void process.stdout.write('stalled\n') };
  const { open } = patternSource(patternFile(Number(bytes)), { etag, stop });
  const call = { signal: new AbortController().signal, log };
  await store.put('videos/killed.mp4', open, { maxBytes: Number(bytes) }, call);
}

setInterval(() => {}, 60_000);
void main();
