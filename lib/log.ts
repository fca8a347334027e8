import { destination as openDestination, pino, type DestinationStream } from 'pino';
import type { Log, LogFields } from './domain/log';

// One JSON line an event. Fields are copied one by one from the list below: what has no name here cannot be written, whatever
// a caller of `Log` hands over.

const loggable: Readonly<Record<keyof LogFields, true>> = {
  requestId: true,
  orgId: true,
  keyId: true,
  videoId: true,
  deliveryId: true,
  jobId: true,
  queue: true,
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
  host: true,
  port: true,
  variable: true,
  error: true,
};
function isLoggable(name: string): name is keyof LogFields {
  return Object.hasOwn(loggable, name);
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Writes to standard output, or to `destination`. */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"`, formatters: { level: (label: string) => ({ level: label }) } };
  const logger = pino(options, destination ?? gatheredOutput());
  const write = (at: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: LogFields) => {
    if (!logger.isLevelEnabled(at)) return;
    const line: Record<string, unknown> = {};
    if (fields) for (const name of Object.keys(fields)) if (isLoggable(name) && fields[name] !== undefined) line[name] = fields[name];
    logger[at](line, message);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/**
 * Standard output, written once for each turn of the event loop: under load a write for each line costs more than making the
 * line. Nothing is kept for longer, and what a turn that ends the process has said is written at its exit.
 */
function gatheredOutput(): DestinationStream {
  const output = openDestination({ fd: 1, sync: true });
  let lines = '';
  const flush = () => {
    if (lines === '') return;
    const written = lines;
    lines = '';
    output.write(written);
  };
  process.once('exit', flush);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}
