import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

// The embedded database runs in a thread of its own, because a query runs on the calling thread and a large one would stall
// every socket of the process. It speaks Postgres's own wire protocol, so the house uses one driver (`pg`) for all databases.

/** A message of the main thread: a new connection, or bytes of the wire protocol. */
export type ToWorker =
  | { kind: 'connect'; connection: number }
  | { kind: 'bytes'; connection: number; bytes: Uint8Array }
  | { kind: 'close' };
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'bytes'; connection: number; bytes: Uint8Array }
  | { kind: 'error'; message: string }
  | { kind: 'closed' };

export interface PgliteWorkerData {
  /** Absent: in memory. */
  readonly directory?: string;
  /** A dump of a data directory to begin with (tests: a migrated template). */
  readonly template?: string;
}

// A worker always has a port.
const port = parentPort!;
const post = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

async function main(): Promise<void> {
  // Safe: only `openDatabase` starts this file.
  const { directory, template } = workerData as PgliteWorkerData;
  const database = await PGlite.create({
    ...(directory ? { dataDir: directory } : {}),
    ...(template ? { loadDataDir: new Blob([await readFile(template)]) } : {}),
  });
  let work = Promise.resolve();
  let current = -1;

  port.on('message', (message: ToWorker) => {
    work = work.then(async () => {
      try {
        if (message.kind === 'close') {
          await database.close();
          post({ kind: 'closed' });
          port.close();
        } else if (message.kind === 'connect') {
          current = message.connection;
          // There is one session for all connections: what a broken one left open must not reach the next.
          await database.exec('rollback');
          await database.exec('discard all');
        } else if (message.connection === current) {
          const answer = await database.execProtocolRaw(message.bytes);
          // Copied: the answer may lie in the database's own memory, which cannot be handed over.
          const bytes = answer.slice();
          post({ kind: 'bytes', connection: message.connection, bytes }, [bytes.buffer]);
        }
      } catch (error) {
        post({ kind: 'error', message: error instanceof Error ? error.message : 'unknown' });
      }
    });
  });
  post({ kind: 'ready' });
}

main().catch((error: unknown) => post({ kind: 'error', message: error instanceof Error ? error.message : 'unknown' }));
