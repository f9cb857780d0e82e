import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';

/** A service that stops at once: its last line is written while the one before is still under way. */
const SERVICE = `
  import { createLogger } from ${JSON.stringify(new URL('../src/logger.js', import.meta.url).href)};
  import { runService } from ${JSON.stringify(new URL('../src/run-service.js', import.meta.url).href)};
  const log = createLogger('test', 'info');
  await runService(log, async () => {
    setInterval(() => {}, 1_000);
    log.info('ready');
    return { stop: async () => {} };
  });
`;

t.test('a service whose log nobody reads any more still stops', async (t) => {
  const script = ['--input-type=module', '--eval', SERVICE];
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'inherit'] });
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
