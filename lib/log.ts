import { pino, type DestinationStream } from 'pino';
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
// Safe: `loggable` has exactly the keys of LogFields.
const names = Object.keys(loggable) as (keyof LogFields)[];

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Writes to standard output, or to `destination`. */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"`, formatters: { level: (label: string) => ({ level: label }) } };
  const logger = destination ? pino(options, destination) : pino(options);
  const write = (at: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: LogFields) => {
    const line: Record<string, unknown> = {};
    if (fields) for (const name of names) if (fields[name] !== undefined) line[name] = fields[name];
    logger[at](line, message);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
