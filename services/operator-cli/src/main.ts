import { messageOf } from '@verdict/service-kit/run-service.js';
import { CommanderError } from 'commander';
import { COMMAND_GROUPS } from './command-groups.js';
import { createProgram } from './create-program.js';

// A reader such as `head` has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const wanted = process.argv.slice(2).find((word) => !word.startsWith('-'));
try {
  const program = await createProgram({
    write: (text) => process.stdout.write(text),
    fail: () => {
      process.exitCode = 1;
    },
    // A word that is none of ours loads nothing: commander says which are.
    wanted: wanted !== undefined && wanted in COMMAND_GROUPS ? wanted : '',
  });
  await program.parseAsync();
} catch (error) {
  // Commander has written its own; only commands that tell wrong usage apart let it throw.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    // The operator needs the cause, not our call stack; Prisma puts it on the last line.
    process.stderr.write(`${messageOf(error).trim().split('\n').at(-1)}\n`);
    process.exitCode = 1;
  }
}
