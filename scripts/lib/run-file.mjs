import { rmSync } from 'node:fs';
import { readJson, writeJson } from './json-file.mjs';
import { startTimeOf } from './process-identity.mjs';

/**
 * Who we started, on disk from the moment of the spawn, so that after a `kill -9` of ourselves the next start
 * knows which processes are ours to stop.
 * @param {string} file
 */
export function createRunFile(file) {
  /** @type {Record<string, { pid: number, startTime: string }>} */
  let processes = {};
  return {
    previous: () => readJson(file) ?? {},
    add(name, pid) {
      processes = { ...processes, [name]: { pid, startTime: startTimeOf(pid) } };
      writeJson(file, processes);
    },
    remove() {
      processes = {};
      rmSync(file, { force: true });
    },
  };
}
