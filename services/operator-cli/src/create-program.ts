import { Command } from 'commander';
import { addAccounts } from './commands/accounts.js';
import { addBackup } from './commands/backup.js';
import { addDatasets } from './commands/datasets.js';
import { addDeadLetters } from './commands/dead-letters.js';
import { addErase } from './commands/erase.js';
import { addKeys } from './commands/keys.js';
import { addMigrate } from './commands/migrate.js';
import { addPlans } from './commands/plans.js';
import { addReconcile } from './commands/reconcile.js';
import { addShards } from './commands/shards.js';
import { addStatements } from './commands/statements.js';
import { addUsage } from './commands/usage.js';
import { createOutput } from './output.js';

interface ProgramOptions {
  readonly write: (text: string) => void;
  /** A command found what an operator must look at. */
  readonly fail: () => void;
}

/** Every command of `pnpm verdict`. */
export function createProgram({ write, fail }: ProgramOptions): Command {
  const program = new Command('verdict')
    .description('Operates Verdict. Settings come from the environment, as for the services.')
    .option('--json', 'print JSON instead of tables');
  const context = { output: () => createOutput(program.opts().json === true, write), fail };
  addMigrate(program, context);
  addAccounts(program, context);
  addKeys(program, context);
  addPlans(program, context);
  addUsage(program, context);
  addReconcile(program, context);
  addStatements(program, context);
  addDeadLetters(program, context);
  addErase(program, context);
  addDatasets(program, context);
  addBackup(program, context);
  addShards(program, context);
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
