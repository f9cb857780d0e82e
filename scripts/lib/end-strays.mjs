import { readdirSync, readFileSync } from 'node:fs';
import { startTimeOf } from './process-identity.mjs';
import { killGroup } from './stop-process.mjs';

export const RUN_MARK = 'VERDICT_TEST_RUN';

/**
 * A test that is killed leaves its servers behind. Each carries the mark of this run in its environment, and only
 * those are ended. Linux only; elsewhere the test's own exit handler has to do.
 * @param {string} mark
 * @returns {string[]} what was found
 */
export function endStrays(mark) {
  if (process.platform !== 'linux') return [];
  const strays = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isMarked(name, mark));
  const found = strays.map((pid) => `${pid} ${commandOf(pid)}`);
  for (const pid of strays) if (startTimeOf(Number(pid))) killGroup(Number(pid));
  return found;
}

function isMarked(pid, mark) {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return Number(pid) !== process.pid && variables.includes(`${RUN_MARK}=${mark}`);
  } catch {
    return false;
  }
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
