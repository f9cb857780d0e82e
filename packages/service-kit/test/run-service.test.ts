import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inRoot } from '@verdict/local-stack/paths.js';
import t from 'tap';

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
