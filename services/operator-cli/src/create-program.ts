import { Command } from 'commander';
import { COMMAND_GROUPS, type GroupName } from './command-groups.js';
import { createOutput } from './output.js';
import { version } from './version.js';

interface ProgramOptions {
  readonly write: (text: string) => void;
  /** A command found what an operator must look at. */
  readonly fail: () => void;
  /** The first word of the command line: only its commands are loaded. Without it, all of them. */
  readonly wanted?: string | undefined;
}

/** The commands of `verdict`. Those of one group are read from disk; of the others help knows the names. */
export async function createProgram({ write, fail, wanted }: ProgramOptions): Promise<Command> {
  const program = new Command('verdict')
    .description(
      'Operates Verdict. Settings come from the environment, as for the services; beside a stack that npm start runs, from that.',
    )
    .version(version(), '--version', 'print the version')
    .option('--json', 'print JSON instead of tables')
    // A command may have an option of the same name: verdict policy pull --version 3.
    .enablePositionalOptions();
  const context = {
    output: () => createOutput(program.opts().json === true, write),
    fail,
    wholeProgram: () => createProgram({ write, fail }),
  };
  for (const name of Object.keys(COMMAND_GROUPS) as GroupName[]) {
    const { description, load } = COMMAND_GROUPS[name];
    if (wanted === undefined || wanted === name) (await load())(program, context);
    else program.command(name).description(description);
  }
  acceptJsonAnywhere(program, program);
  return program;
}

/** `verdict reconcile --json` and `verdict --json reconcile` are the same wish. */
function acceptJsonAnywhere(command: Command, program: Command): void {
  for (const child of command.commands) {
    child.option('--json', 'print JSON instead of tables');
    child.on('option:json', () => program.setOptionValue('json', true));
    acceptJsonAnywhere(child, program);
  }
}
