import { startProcess } from '../../../../scripts/lib/start-process.mjs';

/** Starts a child that sleeps, prints its number and waits; SIGUSR2 makes it throw. */
process.on('SIGUSR2', () => {
  throw new Error('a test went wrong');
});
setInterval(() => {}, 1000);
process.stdout.write(`${startProcess('sleep', ['600'], process.env).pid}\n`);
