import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { FileCount } from '../src/run-test-files.js';
import { roomsOf } from '../src/test-files.js';

const program = fileURLToPath(new URL('../src/run-test-files.js', import.meta.url));

/** Runs the files of a directory in one room: what was printed, and what each came to. */
async function runRoom(directory: string, names: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const files = names.map((name) => join(directory, name));
  const child = spawn(process.execPath, [program, '1', files.join()], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...environment },
  });
  const counts = new Map<string, FileCount>();
  child.on('message', (message) => {
    if (Array.isArray(message))
      for (const count of message as FileCount[]) counts.set(count.file.slice(directory.length + 1), count);
  });
  const [printed] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  return { printed, countOf: (name: string) => counts.get(name) };
}

const test = (body: string) => `import t from 'tap';\n${body}`;
const passing = test(`t.test('fine', async (t) => t.ok(true));`);

t.test('a file in a room is over, teardown included, before the next begins', async (t) => {
  const room = t.testdir({
    'first.test.js': test(`globalThis.isOpen = true;
      t.teardown(() => { globalThis.isOpen = false; });
      t.test('open while it runs', async (t) => t.equal(globalThis.isOpen, true));`),
    'second.test.js': test(`const isOpen = globalThis.isOpen;
      t.test('closed', async (t) => t.equal(isOpen, false));`),
  });
  const { countOf } = await runRoom(room, ['first.test.js', 'second.test.js']);
  t.match(countOf('first.test.js'), { passed: 1, failed: 0 });
  t.match(countOf('second.test.js'), { passed: 1, failed: 0 });
});

t.test('a failure is told with its file and place, and the next file runs all the same', async (t) => {
  const room = t.testdir({
    'red.test.js': test(`t.test('sums', async (t) => t.equal(1 + 1, 3, 'they add up'));`),
    'broken.test.js': test(`await Promise.reject(new Error('no such server'));`),
    'green.test.js': passing,
  });
  const { printed, countOf } = await runRoom(room, ['red.test.js', 'broken.test.js', 'green.test.js']);
  t.match(countOf('red.test.js'), { passed: 0, failed: 1 });
  t.match(countOf('broken.test.js'), { passed: 0, failed: 1 });
  t.match(countOf('green.test.js'), { passed: 1, failed: 0 });
  t.match(printed, /✖ \S+red\.test\.ts .*\n {4}✖ sums > they add up\n {6}at \S*red\.test\.js:2/);
  t.match(printed, /✖ \S+broken\.test\.ts .*\n {4}✖ no such server/);
});

t.test('a process that ends early has failed where it was and in all that it did not reach', async (t) => {
  const room = t.testdir({
    'before.test.js': passing,
    'leaving.test.js': test(`t.test('fine', async (t) => t.ok(true));
      t.test('gone', async () => process.kill(process.pid, 'SIGKILL'));`),
    'after.test.js': passing,
  });
  const { countOf } = await runRoom(room, ['before.test.js', 'leaving.test.js', 'after.test.js']);
  t.match(countOf('before.test.js'), { passed: 1, failed: 0 });
  t.ok((countOf('leaving.test.js')?.failed ?? 0) > 0);
  t.ok((countOf('after.test.js')?.failed ?? 0) > 0);
});

t.test('an error code after the last test is a failure', async (t) => {
  const room = t.testdir({
    'late.test.js': `${passing}\nprocess.on('exit', () => { process.exitCode = 3; });`,
  });
  const { countOf } = await runRoom(room, ['late.test.js']);
  t.match(countOf('late.test.js'), { passed: 1, failed: 1 });
});

t.test('a file that cannot run on this machine is skipped, and the next runs', async (t) => {
  const notHere = new URL('../src/not-here.js', import.meta.url).href;
  const room = t.testdir({
    'browser.test.js': `import { NotHere } from '${notHere}';\nthrow new NotHere('no browser');`,
    'green.test.js': passing,
  });
  const { countOf } = await runRoom(room, ['browser.test.js', 'green.test.js']);
  t.match(countOf('browser.test.js'), { passed: 0, failed: 0, skipped: 1 });
  t.match(countOf('green.test.js'), { passed: 1, failed: 0 });
});

t.test('what a test of whole stacks runs is not recorded as covered', async (t) => {
  const room = t.testdir({
    recorded: {},
    'stack.test.js': test(`import { execFileSync } from 'node:child_process';
      const read = 'process.stdout.write(process.env.NODE_V8_COVERAGE ?? "")';
      t.test('not here', async (t) => t.equal(process.env.NODE_V8_COVERAGE, ''));
      t.test('nor in what it starts', async (t) => {
        t.equal(String(execFileSync(process.execPath, ['-e', read])), '');
      });`),
  });
  const { printed, countOf } = await runRoom(room, ['stack.test.js'], {
    NODE_V8_COVERAGE: join(room, 'recorded'),
  });
  t.match(countOf('stack.test.js'), { passed: 2, failed: 0 }, printed);
});

t.test('files that load the same share a room, and whoever breaks things has one alone', async (t) => {
  const domain = ['packages/domain/dist/test/a.test.js'];
  const gateway = ['services/gateway/dist/test/a.test.js', 'services/gateway/dist/test/b.test.js'];
  const sdk = ['test/dist/sdk/sdk.test.js', 'test/dist/sdk/webhook-example.test.js'];
  const failure = ['test/dist/failure/chaos.test.js', 'test/dist/failure/redis-lost.test.js'];
  const rooms = roomsOf([...failure, ...sdk, ...gateway, ...domain]);
  t.strictSame(rooms, [...failure.map((file) => [file]), sdk, gateway, domain]);
});
