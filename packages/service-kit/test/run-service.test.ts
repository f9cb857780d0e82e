import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '@verdict/local-stack/eventually.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import t from 'tap';
import { startProcess } from '../../../scripts/lib/start-process.mjs';

const SERVICE = inRoot('dist/tools/packages.service-kit.test.support.idle-service-main.js');

t.test('a service whose log nobody reads any more still stops', async (t) => {
  const child = spawn(process.execPath, [SERVICE], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    // Leaving the loop closes our end of the pipe.
    if (said.includes('"ready"')) break;
  }
  if (!child.stdout.closed) await once(child.stdout, 'close');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 120_000);
  t.teardown(() => clearTimeout(late));
  t.strictSame(await exited, [0, null]);
});

t.test('a service whose stop fails says why and exits with 1', async (t) => {
  const service = startProcess(process.execPath, [SERVICE, 'the queue is gone'], process.env);
  await eventually(() => service.output().includes('"ready"'));
  t.strictSame(await service.stop(), { code: 1, signal: null });
  t.match(service.output(), /the stop failed/);
  t.match(service.output(), /the queue is gone/);
});
