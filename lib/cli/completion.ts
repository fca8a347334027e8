import type { Command } from 'commander';
import { makeCommand } from './command';
import { anyOf } from '../domain/phrases';
import { usageError } from './command-error';
import type { Terminal } from './terminal';

// `completion`: prints a script that completes commands and options in bash, zsh or fish. The script is generated from
// the commands themselves, so it must be generated again after an upgrade.

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Creates the command. `program` is a function, because the program, which contains it, is complete only later. */
export function completionCommand(terminal: Terminal, program: () => Command): Command {
  return makeCommand(terminal, {
    name: 'completion <shell>',
    description: 'Print a script that completes commands and options: bash, zsh or fish.',
    examples: [
      'source <(patchbay completion bash)',
      'patchbay completion fish > ~/.config/fish/completions/patchbay.fish',
    ],
    run: async (_options, shell = '') => {
      const words = wordsOf(program());
      if (shell === 'fish') return { text: fishScript(words), json: words };
      if (shell === 'bash') return { text: bashScript(words), json: words };
      if (shell === 'zsh')
        return { text: `autoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`, json: words };
      throw usageError(`The shell must be ${anyOf(SHELLS)}; got "${shell}".`);
    },
  });
}

/** The words that may follow each command, by its path such as `video create`; the program itself is the empty path. */
type Words = Readonly<Record<string, readonly string[]>>;

function wordsOf(program: Command, at = ''): Words {
  const options = program.options.flatMap(({ long }) => (long ? [long] : []));
  const own = [...program.commands.map((each) => each.name()), ...options, '--help'];
  const below = program.commands.map((each) => wordsOf(each, `${at} ${each.name()}`.trim()));
  return Object.assign({ [at]: own }, ...below) as Words;
}

function bashScript(words: Words): string {
  const cases = Object.entries(words).map(([path, own]) => `    "${path}") words="${own.join(' ')}" ;;`);
  return [
    '_patchbay() {',
    '  local path="" word words=""',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    [[ $word == -* ]] && break',
    '    path="${path:+$path }$word"',
    '  done',
    '  case "$path" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '  [[ -z $words ]] && COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _patchbay patchbay',
    '',
  ].join('\n');
}

function fishScript(words: Words): string {
  const lines = Object.entries(words).flatMap(([path, own]) => {
    const parts = path.split(' ').filter((part) => part !== '');
    const condition =
      parts.length === 0
        ? '__fish_use_subcommand'
        : parts.map((part) => `__fish_seen_subcommand_from ${part}`).join('; and ');
    return own.map((word) =>
      word.startsWith('--')
        ? `complete -c patchbay -n '${condition}' -l ${word.slice(2)}`
        : `complete -c patchbay -f -n '${condition}' -a ${word}`,
    );
  });
  return `${lines.join('\n')}\n`;
}
