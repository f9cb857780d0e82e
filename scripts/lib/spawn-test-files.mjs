// `node spawn-test-files.mjs FILE...`: runs compiled test files side by side and prints one TAP stream. `tap run` would
// do the same, but loads each of them through a compiler, a mocker and a coverage recorder. We use none of the three,
// and with them a file that imports a service takes about twice the CPU time: 10.7 s instead of 5.5 s.
import process from 'node:process';
import t from 'tap';

/** As many as freePort has ranges for. */
const JOBS = 2;
const TIMEOUT_SECONDS = Number(process.env.TAP_TIMEOUT ?? 300);
/** WebAssembly is not compiled a second time, optimised: test/harness/node-arguments.ts says what that would cost. */
const NODE_ARGUMENTS = ['--enable-source-maps', '--liftoff-only'];

t.setTimeout(0); // each file has its own
t.jobs = JOBS;
for (const file of process.argv.slice(2)) {
  // tap adds its recorder to the NODE_OPTIONS of what it spawns, and whatever a file starts would inherit it; `env` takes
  // it out and then becomes node.
  t.spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, ...NODE_ARGUMENTS, file], {
    name: file,
    at: null, // a failure is in the file, not here
    stack: '',
    buffered: true,
    timeout: TIMEOUT_SECONDS * 1000,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TAP_TIMEOUT: String(TIMEOUT_SECONDS) },
  });
}
