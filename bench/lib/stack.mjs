import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inRoot } from '../../scripts/lib/paths.mjs';

const START_DEADLINE_MS = 180_000;

/**
 * The real stack of a checkout, started as users start it, on private ports with private data.
 * @param {{ name: string, root?: string, env?: Record<string, string> }} options
 */
export async function startBenchStack({ name, root = inRoot(), env = {} }) {
  const dataDir = path.join(root, '.data', name);
  rmSync(path.join(dataDir, 'stack.json'), { force: true });
  const child = spawn(
    process.execPath,
    [path.join(root, 'scripts/start.mjs'), '--fresh', '--port', String(await freePort())],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
      env: {
        ...process.env,
        VERDICT_DATA_DIR: dataDir,
        PLANS_FILE: inRoot('bench/plans.json'),
        LOG_LEVEL: 'info',
        ...env,
      },
    },
  );
  const facts = await readWhenReady(path.join(dataDir, 'stack.json'), child);
  return {
    ...facts,
    dataDir,
    checkUrl: `${facts.base_url}check/`,
    scoringUrl: facts.scoring_url,
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function readWhenReady(file, child) {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
    await delay(100);
  }
  child.kill('SIGTERM');
  throw new Error('the stack did not start');
}

/** A port that was free a moment ago. @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
