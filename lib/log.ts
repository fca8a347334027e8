import { destination as openDestination, pino, type DestinationStream } from 'pino';
import { errorForLog } from './domain/errors';
import type { Log, LogFields } from './domain/log';

// One JSON line per event. Fields are copied one by one from the list below, so that nothing else can be logged,
// whatever a caller of `Log` passes.

const loggable: Readonly<Record<keyof LogFields, true>> = {
  requestId: true,
  orgId: true,
  keyId: true,
  videoId: true,
  deliveryId: true,
  alertId: true,
  jobId: true,
  queue: true,
  chore: true,
  migration: true,
  provider: true,
  model: true,
  route: true,
  method: true,
  status: true,
  code: true,
  attempt: true,
  ms: true,
  bytes: true,
  count: true,
  costNanoUsd: true,
  processes: true,
  connections: true,
  maxConnections: true,
  host: true,
  port: true,
  reason: true,
  solution: true,
  part: true,
  error: true,
};
function isLoggable(name: string): name is keyof LogFields {
  return Object.hasOwn(loggable, name);
}

/** Whether every field is loggable and defined, so that the object can be written without copying. */
function isClean(fields: LogFields): boolean {
  for (const name in fields) if (!isLoggable(name) || fields[name] === undefined) return false;
  return true;
}

function cleaned(fields: LogFields = {}): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) if (isLoggable(name) && fields[name] !== undefined) line[name] = fields[name];
  return line;
}

/** Cached, because many lines share one millisecond. */
function createTimestamp(): () => string {
  let writtenMs = Number.NaN;
  let text = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs === writtenMs) return text;
    writtenMs = nowMs;
    text = `,"time":"${new Date(nowMs).toISOString()}"`;
    return text;
  };
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/**
 * Creates a log that writes to standard output, or to `destination`. `traceIdOf` returns the trace id of the work that
 * logs, if its trace is recorded.
 */
export function createLog(
  level: LogLevel,
  destination?: DestinationStream,
  traceIdOf: (fields: LogFields) => string | undefined = () => undefined,
): Log {
  const options = {
    level,
    base: null,
    timestamp: createTimestamp(),
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino(options, destination ?? batchedOutput());
  const write = (at: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: LogFields) => {
    if (!logger.isLevelEnabled(at)) return;
    const line = fields && isClean(fields) ? fields : cleaned(fields);
    const trace = fields && traceIdOf(fields);
    logger[at](trace === undefined ? line : { ...line, trace_id: trace }, message);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** The maximum number of bytes that wait while standard output is not read; further lines are dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** A batch is written when it has this many characters, and FLUSH_INTERVAL_MS after its first line at the latest. */
const BATCH_CHARACTERS = 64 * 1024;
const FLUSH_INTERVAL_MS = 20;

/**
 * Standard output, written in batches and outside the event loop: under load, one write per line costs more than
 * creating the line, and a pipe whose reader is slow must not block the process.
 */
function batchedOutput(): DestinationStream {
  const output = openDestination({ fd: 1, sync: false, maxLength: MAX_WAITING_BYTES });
  let batch = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const lines = batch;
    batch = '';
    if (lines !== '') output.write(lines);
  };
  process.once('exit', () => {
    output.flushSync();
    // Not through `output`: it would begin a write that is cancelled when the process ends.
    openDestination({ fd: 1, sync: true }).write(batch);
  });
  return {
    write(line) {
      batch += line;
      if (batch.length >= BATCH_CHARACTERS) flush();
      // The timer does not keep the process alive: on `exit`, the rest is written.
      else timer ??= setTimeout(flush, FLUSH_INTERVAL_MS).unref();
    },
  };
}

/**
 * The maximum number of console lines logged per minute. The first line of a later minute says how many were dropped.
 */
const MAX_CONSOLE_LINES = 20;
const CONSOLE_WINDOW_MS = 60_000;

/**
 * Replaces the console's methods: anything that code in this process (mainly Next) prints becomes a log line with a
 * fixed message. The printed texts can quote requests, so a client could inject any number of lines of its own. For an
 * error, the class and the stack frames are kept.
 */
export function divertConsole(
  log: Log,
  target: Pick<Console, 'debug' | 'error' | 'info' | 'log' | 'trace' | 'warn'> = console,
): void {
  let windowEndsMs = 0;
  let lines = 0;
  let left = 0;
  const take = (): LogFields | undefined => {
    const nowMs = Date.now();
    if (nowMs >= windowEndsMs) {
      windowEndsMs = nowMs + CONSOLE_WINDOW_MS;
      lines = 0;
    }
    lines += 1;
    if (lines > MAX_CONSOLE_LINES) {
      left += 1;
      return undefined;
    }
    const fields = left > 0 ? { count: left } : {};
    left = 0;
    return fields;
  };
  const report =
    (at: 'error' | 'warn', message: string) =>
    (...said: readonly unknown[]) => {
      const error = said.find((each) => each instanceof Error);
      if (error !== undefined && isDisconnect(error)) return;
      const fields = take();
      if (fields) log[at](message, error === undefined ? fields : { ...fields, error: errorForLog(error) });
    };
  target.error = report('error', 'a library wrote an error to the console');
  target.warn = report('warn', 'a library wrote a warning to the console');
  target.trace = target.debug = target.log = target.info = () => undefined;
}

/** Whether the error only means that a client disconnected before the end of a request, which is normal. */
function isDisconnect(error: Error): boolean {
  return (
    ('code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) ||
    error.name === 'AbortError' ||
    error.name === 'ResponseAborted' ||
    error.message === 'aborted'
  );
}
