import { hash } from 'node:crypto';
import { encodeTime, ID_ALPHABET } from './id.js';

const DERIVED_CHARS = 16;

/**
 * The log id of one address of a bulk job. It is derived, so a repeated chunk has one row per address; `begunMs` is
 * when the chunk was cut, as stored with the job.
 */
export function derivedLogId(begunMs: number, jobId: string, address: number): string {
  const digest = hash('sha256', `${jobId} ${address}`, 'buffer');
  let derived = '';
  for (let i = 0; i < DERIVED_CHARS; i++) derived += ID_ALPHABET[(digest[i] as number) & 31];
  return `log_${encodeTime(begunMs)}${derived}`;
}
