import { setTimeout as delay } from 'node:timers/promises';
import type { Attacker, AttackingAccount } from './attacker.js';
import { wideFile } from './largest-request.js';

const CSV = { 'content-type': 'text/csv' };

/** Uploads a file and waits until it is parsed. */
export async function wideJob(
  { ask }: Pick<Attacker, 'ask'>,
  { byKey }: Pick<AttackingAccount, 'byKey'>,
  body = wideFile(250),
): Promise<string> {
  const { job } = await ask('jobs/', { headers: { ...byKey, ...CSV }, body });
  const isParsing = async () => (await ask(`jobs/${job.id}/`, { headers: byKey })).job.status === 'parsing';
  while (await isParsing()) await delay(100);
  return job.id;
}
