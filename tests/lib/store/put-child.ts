import { Readable } from 'node:stream';
import { systemClock } from '../../../lib/domain/clock';
import type { MediaStoreLocation } from '../../../lib/domain/files';
import { openMediaStore } from '../../../lib/store/open-store';
import { recordLog } from '../../support/log';
import { wholeFile } from '../../support/whole-file';

// Stores a file of the given size in a process of its own and prints the largest amount of memory that the process ever
// had, in bytes. The parent compares it for two sizes.

const [location = '', bytes = ''] = process.argv.slice(2);
const total = Number(bytes);
const log = recordLog();

function* chunks(): Generator<Buffer> {
  // Each is new memory, as chunks from the network are.
  for (let sent = 0; sent < total; sent += 65_536) yield Buffer.alloc(Math.min(65_536, total - sent), sent % 251);
}

async function main(): Promise<void> {
  // Safe: the parent wrote it with JSON.stringify.
  const store = await openMediaStore(JSON.parse(location) as MediaStoreLocation, { clock: systemClock, log });
  const call = { signal: new AbortController().signal, log };
  const stored = await store.put('videos/large.mp4', wholeFile(Readable.from(chunks())), { maxBytes: total }, call);
  if (stored.bytes !== total) throw new Error(`${stored.bytes} bytes were stored.`);
  process.stdout.write(String(process.resourceUsage().maxRSS * 1024));
}

void main();
