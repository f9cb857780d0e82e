import { spawn } from 'node:child_process';
import { interrupted } from './interrupt.mjs';
import { inRoot, root } from './paths.mjs';
import { createTapReport } from './tap-report.mjs';
import { sourceOf } from './test-files.mjs';

/**
 * @param {string[]} files
 * @param {NodeJS.ProcessEnv} env
 * @param {(text: string) => void} say
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function runTap(files, env, say) {
  const report = createTapReport({ say, nameOf: sourceOf });
  // In a group of its own, so that an interrupt ends tap and the files it runs, while we still clean up.
  const child = spawn(process.execPath, [inRoot('scripts/lib/spawn-test-files.mjs'), ...files], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const endGroup = () => {
    try {
      process.kill(-child.pid, 'SIGTERM');
    } catch {
      // already gone
    }
  };
  interrupted.addEventListener('abort', endGroup);
  child.stdout.on('data', (chunk) => report.write(chunk));
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', resolve);
  });
  interrupted.removeEventListener('abort', endGroup);
  report.end(files);
  // Whatever tap holds against the run, it is never reported as clean.
  if (code !== 0 && report.count.failed === 0) report.count.failed = 1;
  return report.count;
}
