import type { EventEmitter } from 'node:events';
import { Duplex } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { Pool, type PoolConfig } from 'pg';
import type { StartWorker } from '../workers';
import type { FromWorker, PgliteWorkerData, ToWorker } from './pglite-worker';

// The main thread's side of the embedded database: a `pg` pool of one connection whose "socket" is the worker.

export interface Embedded {
  readonly pool: Pool;
  /** A pool without time limits, for work that may take minutes. The caller ends it before it uses `pool`. */
  openPatientPool(): Pool;
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  /** After this time the query fails for its caller, although the database may still work on it. */
  readonly queryTimeoutMs?: number;
  /** How long a query may wait for earlier ones, because there is only one connection. */
  readonly connectTimeoutMs?: number;
  /** A database that works for this long without any answer counts as lost. */
  readonly silenceTimeoutMs?: number;
  /** A database that cannot use its files for this long counts as lost. */
  readonly brokenTimeoutMs?: number;
  /** Called once if the database ends or fails permanently before it is closed. Every later query fails. */
  readonly onLost?: ((error: Error) => void) | undefined;
}

/** Longer than any query of a request takes on a busy machine. */
const QUERY_TIMEOUT_MS = 30_000;
/** Earlier queries may each be slow, and there is no other connection. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 120_000;
const BROKEN_TIMEOUT_MS = 60_000;
/** After this time without a file error, the files count as usable again. */
const SOUND_MS = 30_000;

/**
 * After this many failed queries in a row the database will not recover, for example because memory or the disk is
 * full.
 */
const MAX_FAILURES_IN_A_ROW = 5;

/**
 * Errors of the operating system, and damaged tables and indexes. A full disk is not one of them: space can become free
 * again.
 */
const FILE_CODES = /^(?:58\w{3}|XX001|XX002)$/;

/** Starts the worker and resolves when the database is open. */
export async function openEmbedded(
  startWorker: StartWorker,
  data: PgliteWorkerData,
  {
    queryTimeoutMs = QUERY_TIMEOUT_MS,
    connectTimeoutMs = CONNECT_TIMEOUT_MS,
    silenceTimeoutMs = SILENCE_TIMEOUT_MS,
    brokenTimeoutMs = BROKEN_TIMEOUT_MS,
    onLost,
  }: EmbeddedOptions = {},
): Promise<Embedded> {
  const worker = startWorker('lib/db/pglite-worker.ts', data);
  worker.unref();
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The embedded database ended before it was open.')));
    worker.once('message', (message: FromWorker) => {
      if (message.kind === 'ready') resolve();
      else
        reject(
          new Error(
            `The embedded database could not be opened: ${message.kind === 'error' ? message.message : message.kind}`,
          ),
        );
    });
  });

  let connections = 0;
  let ended = false;
  let closing = false;
  let failures = 0;
  let lost = false;
  const lose = (reason: string) => {
    if (closing || lost) return;
    lost = true;
    onLost?.(new Error(reason));
  };
  /** When the oldest unanswered message was sent. */
  let waitingSinceMs: number | undefined;
  const transport: Transport = {
    send(message) {
      waitingSinceMs ??= performance.now();
      send(worker, message);
    },
    // A connection whose query times out closes without an answer, and the next query opens another one.
    closed(id) {
      sockets.delete(id);
      if (waitingSinceMs !== undefined && performance.now() - waitingSinceMs >= silenceTimeoutMs)
        lose(`The embedded database has not answered for ${silenceTimeoutMs} ms.`);
    },
    ref: () => worker.ref(),
    unref: () => worker.unref(),
  };
  const sockets = new Map<number, WorkerSocket>();
  const breakAll = (reason: string) => {
    for (const socket of sockets.values()) socket.destroy(connectionFailure(reason));
  };
  worker.on('message', (message: FromWorker) => {
    waitingSinceMs = undefined;
    if (message.kind === 'bytes') {
      failures = 0;
      sockets.get(message.connection)?.receive(message.bytes);
    }
    if (message.kind === 'error') {
      failures += 1;
      breakAll(message.message);
      if (failures >= MAX_FAILURES_IN_A_ROW)
        lose(`The embedded database failed ${failures} times in a row: ${message.message}`);
    }
  });
  // The worker exits after an unhandled exception.
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    ended = true;
    breakAll('The embedded database has ended.');
    lose('The embedded database has ended.');
  });

  let firstBrokenMs = -Infinity;
  let lastBrokenMs = -Infinity;
  const onAnswerWithError = ({ code = '', message }: { readonly code?: string; readonly message: string }) => {
    if (!FILE_CODES.test(code)) return;
    const now = performance.now();
    if (now - lastBrokenMs > SOUND_MS) firstBrokenMs = now;
    lastBrokenMs = now;
    if (now - firstBrokenMs >= brokenTimeoutMs) lose(`The embedded database cannot use its files: ${message}`);
  };
  const openPool = (limits: Pick<PoolConfig, 'query_timeout' | 'connectionTimeoutMillis'>) =>
    new Pool({
      ...limits,
      max: 1,
      // Idle connections are kept, because closing them frees nothing.
      idleTimeoutMillis: 0,
      user: 'postgres',
      database: 'postgres',
      ssl: false,
      stream: () => {
        const id = ++connections;
        const socket = new WorkerSocket(transport, id);
        sockets.set(id, socket);
        // Otherwise its queries would wait forever.
        if (ended) process.nextTick(() => socket.destroy(connectionFailure('The embedded database has ended.')));
        return socket;
      },
      // Safe: the driver emits every error that the server answers with there, which its types leave out.
    }).on('connect', (client) =>
      (client as unknown as { connection: EventEmitter }).connection.on('errorMessage', onAnswerWithError),
    );
  const pool = openPool({ query_timeout: queryTimeoutMs, connectionTimeoutMillis: connectTimeoutMs });
  return {
    pool,
    openPatientPool: () => openPool({}),
    async close() {
      closing = true;
      await pool.end();
      if (ended) return;
      const closed = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      worker.ref();
      send(worker, { kind: 'close' });
      await closed;
    },
  };
}

function send(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}

/** Creates an error with the same code as for a lost connection to any other database. */
function connectionFailure(reason: string): Error {
  return Object.assign(new Error(reason), { code: 'ECONNRESET' });
}

/** How the sockets reach the worker. */
interface Transport {
  send(message: ToWorker): void;
  /** Called when the socket of that connection was closed. */
  closed(connection: number): void;
  ref(): void;
  unref(): void;
}

/** The parts of `net.Socket` that `pg` uses. */
class WorkerSocket extends Duplex {
  constructor(
    private readonly worker: Transport,
    private readonly id: number,
  ) {
    super();
  }

  connect(): this {
    this.worker.send({ kind: 'connect', connection: this.id });
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  receive(bytes: Uint8Array): void {
    if (bytes.length) this.push(bytes);
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.worker.send({ kind: 'bytes', connection: this.id, bytes: new Uint8Array(chunk) });
    done();
  }

  /** Sends the messages of one query together, in one round trip instead of five. */
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this.worker.send({
      kind: 'bytes',
      connection: this.id,
      bytes: new Uint8Array(Buffer.concat(chunks.map(({ chunk }) => chunk))),
    });
    done();
  }

  override _final(done: () => void): void {
    done();
    this.push(null);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.worker.closed(this.id);
    done(error);
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    this.worker.ref();
    return this;
  }

  unref(): this {
    this.worker.unref();
    return this;
  }
}
