import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** @param {string} file */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * A reader sees the old content or the new, never half of it; only the owner sees either.
 * @param {string} file
 * @param {unknown} value
 */
export function writeJson(file, value) {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
}
