import t from 'tap';
import { startProcess } from '../../../scripts/lib/start-process.mjs';
import { eventually } from '../src/eventually.js';
import { freePort } from '../src/free-port.js';
import { inRoot } from '../src/paths.js';
import { startServer } from '../src/start-server.js';

const tool = (name: string) => inRoot(`dist/tools/packages.local-stack.test.support.${name}-main.js`);
const run = (...args: string[]) => startProcess(process.execPath, args, process.env);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL', 'SIGUSR2'] as const) {
  t.test(`no server outlives a process that ${signal} ended`, async (t) => {
    const parent = run(tool('parent'));
    t.teardown(() => parent.kill());
    const child = Number(await eventually(() => parent.output().trim() || null));
    t.ok(isAlive(child));
    parent.signal(signal);
    t.equal((await parent.exited).signal, signal === 'SIGUSR2' ? null : signal);
    await eventually(() => !isAlive(child));
  });
}

t.test('a process that ends before it is ready is reported with its last lines', async (t) => {
  const launch = () => run('-e', 'console.error("the port is taken"); process.exit(3);');
  const ready = startServer({ name: 'redis', launch, isReady: async () => false });
  await t.rejects(ready, { message: /^redis did not start \(exit code 3\)\.\n {2}\| the port is taken$/ });
});

t.test('two processes never get the same port', async (t) => {
  const others = [run(tool('ports')), run(tool('ports'))];
  t.teardown(() => Promise.all(others.map((one) => one.kill())));
  const ports: number[] = [];
  while (ports.length < 300) ports.push(await freePort());
  for (const other of others) ports.push(...(await eventually(() => JSON.parse(other.output()) as number[])));
  t.equal(new Set(ports).size, 900);
});
