import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import type { FromWorker, ToWorker } from '../../lib/db/pglite-worker';

// A Postgres in the place of the embedded database: the product opens it, and sees one connection, as it sees that of
// the worker. It answers in a fraction of the processor time, which most tests spend in the database.

/** The server of the run. */
export interface ServerTemplate {
  /** The folder of its socket, which takes less processor time than a connection over TCP. */
  readonly host: string;
  readonly port: number;
  /** A migrated database without connections. */
  readonly database: string;
  /** Of its schema (SCHEMA_FINGERPRINT). */
  readonly fingerprint: string;
}

const USER = 'postgres';
const PROTOCOL_VERSION = 3 << 16;

let databases = 0;

/** Replaces `lib/db/pglite-worker.ts` on a new copy of the template. */
export function startPostgresWorker(template: ServerTemplate): Worker {
  const events = new EventEmitter();
  const post = (message: FromWorker) => events.emit('message', message);
  const database = `copy_${process.pid}_${(databases += 1)}`;
  let socket: net.Socket | undefined;
  let current = -1;
  let isReferenced = true;

  async function handle(message: ToWorker): Promise<void> {
    if (message.kind === 'close') {
      await disconnect();
      post({ kind: 'closed' });
      events.emit('exit', 0);
    } else if (message.kind === 'connect') {
      await disconnect();
      await connect(message.connection);
    } else if (message.connection === current) {
      // The first message of a connection names the database, which is another one here.
      socket?.write(isStartup(message.bytes) ? startupOf(database) : message.bytes);
    }
  }

  async function connect(connection: number): Promise<void> {
    current = connection;
    const opened = net.connect(path.join(template.host, `.s.PGSQL.${template.port}`));
    if (!isReferenced) opened.unref();
    socket = opened;
    opened.on('data', (bytes) => post({ kind: 'bytes', connection, bytes }));
    opened.on('error', (error) => post({ kind: 'error', message: error.message }));
    await once(opened, 'connect');
  }

  /** Resolves when the server has ended the session, and with it a transaction that was open. */
  async function disconnect(): Promise<void> {
    current = -1;
    if (!socket || socket.closed) return;
    const ended = once(socket, 'close');
    socket.removeAllListeners('data').resume().end();
    await ended;
    socket = undefined;
  }

  let work: Promise<void> = copyOf(template, database).then(
    () => void post({ kind: 'ready' }),
    (error: unknown) => void events.emit('error', error),
  );
  // Safe: these are the parts of a worker that lib/db/embedded.ts and the reuse of workers use.
  return Object.assign(events, {
    postMessage(message: ToWorker) {
      work = work
        .then(() => handle(message))
        .catch((error: unknown) => void post({ kind: 'error', message: String(error) }));
    },
    async terminate() {
      await disconnect();
      events.emit('exit', 1);
      return 1;
    },
    ref() {
      isReferenced = true;
      socket?.ref();
    },
    unref() {
      isReferenced = false;
      socket?.unref();
    },
  }) as unknown as Worker;
}

async function copyOf({ host, port, database: template }: ServerTemplate, database: string): Promise<void> {
  const client = new Client({ host, port, user: USER, database: 'postgres' });
  await client.connect();
  try {
    await client.query(`create database ${database} template ${template}`);
  } finally {
    await client.end();
  }
}

/** Only the first message of a connection begins with its length instead of a letter. */
function isStartup(bytes: Uint8Array): boolean {
  return bytes[0] === 0;
}

function startupOf(database: string): Buffer {
  const parameters = Buffer.from(`user\0${USER}\0database\0${database}\0client_encoding\0UTF8\0\0`);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(head.length + parameters.length, 0);
  head.writeUInt32BE(PROTOCOL_VERSION, 4);
  return Buffer.concat([head, parameters]);
}
