import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { Failure } from './failure.js';
import { findProgram } from './find-program.js';

/** Finds the Redis or Valkey server of this machine, because no npm package ships one. */
export async function findRedisBinary(
  note?: (detail: string) => void,
): Promise<{ readonly file: string; readonly label: string }> {
  const file = await findProgram(['redis-server', 'valkey-server'], 'redis-server', note);
  if (!file) throw new Failure('Redis is needed: install redis-server or valkey-server.');
  const version = /v=([\d.]+)/.exec(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout)?.[1];
  const label = `${basename(file).replace('-server', '')} ${version ?? ''}`.trim();
  note?.(label);
  return { file, label };
}
