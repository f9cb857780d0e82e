import { fileURLToPath } from 'node:url';
import t from 'tap';
import { eventually } from '../src/eventually.js';
import { freePort } from '../src/free-port.js';
import { startProcess } from '../src/start-process.js';
import { whenReady } from '../src/when-ready.js';

const from = (file: string) => fileURLToPath(new URL(`../src/${file}.js`, import.meta.url));
const run = (program: string) =>
  startProcess(process.execPath, ['--input-type=module', '-e', program], process.env);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const PARENT = `
  import { startProcess } from '${from('start-process')}';
  console.log(startProcess('sleep', ['600'], process.env).pid);
  setInterval(() => {}, 1000);
  process.on('SIGUSR2', () => { throw new Error('a test went wrong'); });`;

for (const signal of ['SIGTERM', 'SIGINT', 'SIGUSR2'] as const) {
  t.test(`no server outlives a process that ${signal} ended`, async (t) => {
    const parent = run(PARENT);
    t.teardown(() => parent.kill());
    const child = Number(await eventually(() => parent.output().trim() || null));
    t.ok(isAlive(child));
    parent.signal(signal);
    t.equal((await parent.exited).signal, signal === 'SIGUSR2' ? null : signal);
    await eventually(() => !isAlive(child));
  });
}

t.test('a process that ends before it is ready is reported with its last lines', async (t) => {
  const started = run('console.error("the port is taken"); process.exit(3);');
  const ready = whenReady('redis', started, async () => false);
  await t.rejects(ready, { message: /^redis did not start \(exit code 3\)\.\n {2}\| the port is taken$/ });
});

t.test('two processes never get the same port', async (t) => {
  const program = `
    import { freePort } from '${from('free-port')}';
    const ports = [];
    while (ports.length < 300) ports.push(await freePort());
    console.log(JSON.stringify(ports));
    setInterval(() => {}, 1000);`;
  const others = [run(program), run(program)];
  t.teardown(() => Promise.all(others.map((one) => one.kill())));
  const ports: number[] = [];
  while (ports.length < 300) ports.push(await freePort());
  for (const other of others) ports.push(...(await eventually(() => JSON.parse(other.output()) as number[])));
  t.equal(new Set(ports).size, 900);
});
