import { Command, Option } from 'commander';
import type { Terminal } from './terminal';

// The common form of all commands: the help has an example, --json is supported, and the command returns its output.

export interface Outcome {
  /** The output for people. */
  readonly text: string;
  /** The output for `--json`. */
  readonly json: unknown;
  /** 0 unless stated. */
  readonly exitCode?: number;
}

interface CommandSpec<Options> {
  /** With its arguments, such as `get <id>`. */
  readonly name: string;
  readonly description: string;
  /** Complete commands, one per line. */
  readonly examples: readonly string[];
  readonly options?: readonly Option[];
  /** Further text of the help, after the options. */
  readonly more?: string;
  /** Absent if the command is only a group of others. */
  readonly run?: (options: Options, ...args: (string | undefined)[]) => Promise<Outcome>;
  readonly commands?: readonly Command[];
}

/** `Options` are the parsed values of `options`, by their names in camel case. */
export function makeCommand<Options = Record<string, never>>(terminal: Terminal, spec: CommandSpec<Options>): Command {
  const command = new Command(spec.name.split(' ')[0]);
  for (const argument of spec.name.split(' ').slice(1)) command.argument(argument);
  command.description(spec.description);
  for (const option of spec.options ?? []) command.addOption(option);
  const { run } = spec;
  if (run) {
    command.option('--json', 'print the result as JSON, errors too');
    command.action(async (...values: unknown[]) => {
      // Commander passes the arguments, the options and the command.
      const args = values.slice(0, -2) as (string | undefined)[];
      const options = command.opts<Options & { readonly json?: boolean }>();
      const { text, json, exitCode } = await run(options, ...args);
      terminal.stdout.write(options.json ? `${JSON.stringify(json)}\n` : text);
      if (exitCode !== undefined) throw new Ended(exitCode);
    });
  }
  for (const each of spec.commands ?? []) command.addCommand(each);
  const title = spec.examples.length === 1 ? 'Example:' : 'Examples:';
  command.addHelpText('after', `\n${title}\n${spec.examples.map((line) => `  ${line}`).join('\n')}`);
  if (spec.more !== undefined) command.addHelpText('after', `\n${spec.more}`);
  return command;
}

/** Thrown by a command that has printed its result, to end with this code. */
export class Ended extends Error {
  constructor(readonly exitCode: number) {
    super('ended');
  }
}

export function option(flags: string, description: string): Option {
  return new Option(flags, description);
}
