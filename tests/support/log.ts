import type { Log, LogFields } from '../../lib/domain/log';

export interface RecordedLog extends Log {
  readonly lines: { level: string; message: string; fields: LogFields }[];
}

/** A log that keeps its lines, so that a test can check what it contains. */
export function recordLog(): RecordedLog {
  const lines: RecordedLog['lines'] = [];
  const write =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields });
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
