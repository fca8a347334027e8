import { Command } from 'commander';
import { operatorCommands, type OperatorCommand, type Terminal } from './terminal';

// The operator's commands. Each has its own help and options.

const descriptions: Readonly<Record<OperatorCommand, string>> = {
  doctor: 'Explain what is wrong with this installation.',
  grant: 'Grant credits to an organisation.',
  limits: 'Show and change the limits of an organisation.',
  backup: 'Write a backup of the database, the secrets and the files.',
  restore: 'Fill an empty installation from a backup.',
  upgrade: 'Show what the next start with this version changes: "upgrade --check".',
  providers: 'Show which providers are offered; "providers verify" checks their credentials.',
};

export function operatorCommandsOf(terminal: Terminal): readonly Command[] {
  return operatorCommands.map((name) =>
    new Command(name)
      .description(descriptions[name])
      .helpOption(false)
      .allowUnknownOption()
      .argument('[arguments...]')
      .action((args: readonly string[]) => terminal.operate(name, args)),
  );
}
