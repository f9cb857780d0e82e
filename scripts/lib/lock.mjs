import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { isStillRunning, startTimeOf } from './process-identity.mjs';

/**
 * One holder per file. A lock whose holder is gone is taken over.
 * @param {string} file
 * @returns {{ heldBy: number } | { release: () => void }}
 */
export function acquireLock(file) {
  for (;;) {
    try {
      const fd = openSync(file, 'wx', 0o600);
      writeSync(fd, JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) }));
      closeSync(fd);
      return { release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    if (holder && isStillRunning(holder)) return { heldBy: holder.pid };
    rmSync(file, { force: true });
  }
}

function readHolder(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
