import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { dataDir, makeDirectory } from './paths.mjs';

const ROTATE_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

/** @param {string} name */
export function logFileFor(name, directory = path.join(dataDir, 'logs')) {
  makeDirectory(directory, 0o700);
  return path.join(directory, `${name}.log`);
}

/** Opens for appending; one older generation is kept. @param {string} file */
export function openLog(file) {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > ROTATE_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

/**
 * The last lines written since `from` (a size noted earlier), so that an old failure is not shown as today's.
 * @param {string} file
 */
export function tailOf(file, from = 0, lines = 12) {
  let fd;
  try {
    fd = openSync(file, 'r');
  } catch {
    return [];
  }
  const size = fstatSync(fd).size;
  const start = Math.max(from <= size ? from : 0, size - TAIL_BYTES);
  const buffer = Buffer.alloc(size - start);
  readSync(fd, buffer, 0, buffer.length, start);
  closeSync(fd);
  return buffer.toString('utf8').trimEnd().split('\n').filter(Boolean).slice(-lines);
}

/** @param {string} file */
export const sizeOf = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
