import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

// Runs the embedded database in its own thread, because a query blocks the calling thread and a large one would block
// every socket of the process. It speaks the Postgres wire protocol, so that the product uses one driver (`pg`) for all
// databases.

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
  /** A dump of a data directory to start from (tests: a migrated template). */
  readonly template?: string;
}

// Safe: a worker always has a parent port.
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
          // All connections share one session: a transaction that a broken connection left open must not affect the
          // next.
          await database.exec('rollback');
          await database.exec('discard all');
        } else if (message.connection === current) {
          const answer = await database.execProtocolRaw(message.bytes);
          // Copied: the response may be in the database's own memory, which cannot be transferred.
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
