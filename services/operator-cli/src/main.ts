import { messageOf } from '@verdict/service-kit/run-service.js';
import { createProgram } from './create-program.js';

const program = createProgram({
  write: (text) => process.stdout.write(text),
  fail: () => {
    process.exitCode = 1;
  },
});
try {
  await program.parseAsync();
} catch (error) {
  // The operator needs the cause, not our call stack; Prisma puts it on the last line.
  process.stderr.write(`${messageOf(error).trim().split('\n').at(-1)}\n`);
  process.exitCode = 1;
}
