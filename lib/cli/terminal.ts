import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../domain/clock';

/** The commands of the operator. They need the settings of the installation and are programs in `server`. */
export const operatorCommands = ['doctor', 'grant', 'limits', 'providers', 'backup', 'restore', 'upgrade'] as const;
export type OperatorCommand = (typeof operatorCommands)[number];

/** What a command gets from the process that runs it. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The folder of Patchbay, with its migrations and its CHANGELOG. */
  readonly projectRoot: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  /** For everything but the result: progress, hints and errors. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Runs a command of the operator. It prints its output and sets the exit code itself. */
  readonly operate: (command: OperatorCommand, args: readonly string[]) => Promise<void>;
}

/** Reads all of standard input. */
export async function readStdin({ stdin }: Terminal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** Prints a line of progress, which is not part of the result. */
export function note({ stderr }: Terminal, line: string): void {
  stderr.write(`${line}\n`);
}
