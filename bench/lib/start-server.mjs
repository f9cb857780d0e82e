import { spawn } from 'node:child_process';
import { inRoot } from '../../scripts/lib/paths.mjs';
import { freePort } from './stack.mjs';

/**
 * A server to compare with, as a separate process. It prints "ready" on stdout when it listens.
 * @param {string} name of the file in bench/servers
 * @param {Record<string, string>} env
 */
export async function startServer(name, env = {}) {
  const port = await freePort();
  const file = inRoot('dist/tools', `bench.servers.${name}.js`);
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env, PORT: String(port), NODE_ENV: 'production' },
  });
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  return {
    pid: child.pid,
    checkUrl: `http://127.0.0.1:${port}/api/v1/check/`,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}
