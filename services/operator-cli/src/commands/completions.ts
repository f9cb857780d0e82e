import type { Command } from 'commander';
import type { Context } from '../context.js';

/** `source <(npx verdict completions bash)`. The script contains the words, so completing starts no process. */
export function addCompletions(program: Command, { output, wholeProgram }: Context): void {
  program
    .command('completions <shell>')
    .description('print shell completion: source <(npx verdict completions bash)')
    .action(async (shell: string) => {
      if (shell !== 'bash' && shell !== 'zsh') throw new Error('completions are made for bash and zsh');
      output().text(scriptOf(shell, await wholeProgram()));
    });
}

function scriptOf(shell: 'bash' | 'zsh', program: Command): string {
  const groups = program.commands.map((group) => {
    const words = group.commands.map((command) => command.name());
    return `    ${group.name()}) words="${words.join(' ')}" ;;`;
  });
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_verdict() {
  local words
  case "\${COMP_WORDS[1]}" in
${groups.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${program.commands.map((group) => group.name()).join(' ')} --help --version"; fi
  if [ "$COMP_CWORD" -gt 2 ]; then words="--json --help"; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _verdict verdict
`;
}
