// How commands end: docs/cli.md lists the codes.

export const exitCodes = {
  ok: 0,
  /** The request was refused, or a check found an error. */
  failed: 1,
  /** A wrong command, option or setting. */
  usage: 2,
  /**
   * No usable response: the installation does not run, or could not answer at the moment. The command can be repeated.
   */
  unavailable: 3,
  /** Ctrl+C */
  interrupted: 130,
} as const;

/** Ends a command with one sentence and an exit code. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
    /** For `--json`: the error in the response of the installation, or what was found before the end. */
    readonly body?: unknown,
  ) {
    super(message);
  }
}

export function usageError(message: string): CommandError {
  return new CommandError(message, exitCodes.usage);
}
