import type { WriteStream } from 'node:tty';
import type { DestinationStream } from 'pino';

// The log of `npm run dev`: the JSON lines of lib/log.ts as one readable line each. An error with several lines follows
// below.

const colours = { debug: 90, info: 32, warn: 33, error: 31 } as const;
const DIM = 90;

/** Creates a stream that writes to `output`, in colour if it is a terminal that supports colours. */
export function readableOutput(output: Pick<WriteStream, 'write'> & Partial<WriteStream>): DestinationStream {
  const hasColours = output.isTTY === true && output.hasColors?.() === true;
  return { write: (line) => void output.write(readableLine(line, hasColours)) };
}

/**
 * Formats a line of JSON as `12:30:01.123 WARN  message  field=value …`, with times in the zone of this machine. Other
 * text is returned unchanged.
 */
export function readableLine(line: string, hasColours: boolean): string {
  const entry = parseEntry(line);
  if (!entry) return line;
  const { time, level, msg, error, ...fields } = entry;
  const paint = (colour: number, text: string) => (hasColours ? `\u001b[${colour}m${text}\u001b[39m` : text);
  const isLevel = (name: unknown): name is keyof typeof colours => typeof name === 'string' && name in colours;
  const label = String(level).toUpperCase().padEnd(5);
  const stack = typeof error === 'string' && error.includes('\n') ? error : undefined;
  const shown = Object.entries(stack === undefined && error !== undefined ? { ...fields, error } : fields);
  const parts = [
    `${paint(DIM, localTime(String(time)))} ${isLevel(level) ? paint(colours[level], label) : label} ${String(msg)}`,
    ...(shown.length > 0
      ? [shown.map(([name, value]) => `${paint(DIM, `${name}=`)}${valueText(value)}`).join(' ')]
      : []),
  ];
  return `${parts.join('  ')}\n${stack === undefined ? '' : `${stack.replaceAll(/^/gm, '    ')}\n`}`;
}

function parseEntry(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function localTime(iso: string): string {
  const at = new Date(iso);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
