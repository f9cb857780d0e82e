import { setFlagsFromString } from 'node:v8';
import { messageOf } from '@verdict/service-kit/run-service.js';
import { COMMAND_GROUPS } from './command-groups.js';
import { createProgram } from './create-program.js';

// Prisma's query compiler is WebAssembly. Compiled a second time, optimised, it would cost more than most commands do.
setFlagsFromString('--liftoff-only');

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
  // The operator needs the cause, not our call stack; Prisma puts it on the last line.
  process.stderr.write(`${messageOf(error).trim().split('\n').at(-1)}\n`);
  process.exitCode = 1;
}
