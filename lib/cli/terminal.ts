import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../domain/clock';

/** The operator's own commands: they need the settings of the installation, and are programs of `server`. */
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
  /** Everything but the result: progress, hints and errors. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Runs a command of the operator, which prints and sets the exit code by itself. */
  readonly operate: (command: OperatorCommand, args: readonly string[]) => Promise<void>;
}

/** All of standard input, as bytes. */
export async function readStdin({ stdin }: Terminal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** A line of progress, which is not part of the result. */
export function note({ stderr }: Terminal, line: string): void {
  stderr.write(`${line}\n`);
}
