import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { accountCommands } from './account';
import { Ended } from './command';
import { CommandError, exitCodes } from './command-error';
import { completionCommand } from './completion';
import { keyCommands } from './keys';
import { operatorCommandsOf } from './operator';
import { listenCommand } from './listen';
import { modelsCommand } from './models';
import { speechCommands } from './speech';
import type { Terminal } from './terminal';
import { videoCommands } from './videos';

const EXIT_CODES =
  'Exit codes: 0 done; 1 refused or failed; 2 wrong command or setting; 3 no usable answer: repeat it; 130 interrupted.';

/** Creates the program with every command and its help. */
export function makeProgram(terminal: Terminal): Command {
  const program = new Command('patchbay')
    .description('Uses and operates a Patchbay installation from the command line.')
    .version(version)
    .addHelpText('after', `\n${EXIT_CODES}\nDocumentation: /docs/cli of every installation.`);
  program.commandsGroup('With an API key:');
  for (const command of accountCommands(terminal)) program.addCommand(command);
  for (const make of [keyCommands, modelsCommand, videoCommands, listenCommand]) program.addCommand(make(terminal));
  for (const command of speechCommands(terminal)) program.addCommand(command);
  program.commandsGroup('Of the operator, in the folder of the installation:');
  for (const command of operatorCommandsOf(terminal)) program.addCommand(command);
  program.commandsGroup('Of the command itself:');
  program.addCommand(completionCommand(terminal, () => program));
  for (const each of [program, ...below(program)]) {
    each.exitOverride();
    each.configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      // Usage errors are printed by `runProgram`, as JSON if requested.
      writeErr: (text) => void (text.startsWith('error:') || terminal.stderr.write(text)),
    });
  }
  return program;
}

function below(command: Command): readonly Command[] {
  return command.commands.flatMap((each) => [each, ...below(each)]);
}

/** Runs one command and resolves to its exit code. `args` are the arguments after the program's name. */
export async function runProgram(terminal: Terminal, args: readonly string[]): Promise<number> {
  try {
    await makeProgram(terminal).parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof Ended) return error.exitCode;
    const failure = asCommandError(error, args, terminal);
    if (failure === undefined) return exitCodes.ok;
    if (args.includes('--json'))
      terminal.stdout.write(`${JSON.stringify(failure.body ?? { error: { message: failure.message } })}\n`);
    else if (failure.message !== '') terminal.stderr.write(`${failure.message.trimEnd()}\n`);
    return failure.exitCode;
  }
}

/** Returns undefined if help or the version was printed. Throws errors that are not errors of a command. */
function asCommandError(error: unknown, args: readonly string[], { signal }: Terminal): CommandError | undefined {
  if (error instanceof CommandError) return error;
  if (signal.aborted) return new CommandError('Interrupted.', exitCodes.interrupted);
  if (!(error instanceof CommanderError)) throw error;
  if (error.exitCode === 0) return undefined;
  // Without a command, the help has been printed.
  if (error.code === 'commander.help') return new CommandError('', exitCodes.usage);
  const [message = '', ...more] = error.message.replace(/^error: /, '').split('\n');
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`.replace(/([^.?)])$/, '$1.');
  const names = args.slice(0, args.findIndex((arg) => arg.startsWith('-')) >>> 0);
  const known = error.code === 'commander.unknownCommand' ? names.slice(0, -1) : names;
  const help = ['patchbay', ...known, '--help'].join(' ');
  return new CommandError([sentence, ...more, `"${help}" explains it.`].join(' '), exitCodes.usage);
}
