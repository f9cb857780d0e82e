import type { Attacker, AttackingAccount } from './attacker.js';
import { longestRules } from './largest-request.js';
import { wideJob } from './wide-job.js';

const POLICIES = 8;
const ENTRIES = 500;
const OUTCOMES = 500;
const INVITATIONS = 60;

/** Fills an account with the widest rows that it may have. Returns an id for each kind of thing. */
export async function fillAccount(
  attacker: Pick<Attacker, 'ask'>,
  account: AttackingAccount,
): Promise<Readonly<Record<string, string>>> {
  const { ask } = attacker;
  const headers = account.byToken;
  const jobs = await wideJob(attacker, account);
  for (let i = 0; i < POLICIES; i++) await ask('policies/', { headers, body: { rules: longestRules() } });
  await ask('policies/live/', { method: 'PUT', headers, body: { version: 1 } });
  const entries = Array.from({ length: ENTRIES }, (_, i) => ({
    value: `p${i}@${'ü'.repeat(12)}.example`,
    note: 'x'.repeat(200),
  }));
  await ask('lists/block/import/', { headers, body: { entries } });
  const items = Array.from({ length: OUTCOMES }, (_, i) => ({
    ...{ email: `p${i}@${'ü'.repeat(12)}.example`, outcome: 'abuse', note: 'ü'.repeat(200) },
  }));
  await ask('outcomes/', { headers, body: { items } });
  for (let i = 0; i < INVITATIONS; i++)
    await ask('members/invitations/', {
      headers,
      body: { email: `${i}${'x'.repeat(50)}@${'y'.repeat(60)}.example`, role: 'analyst' },
    });
  const { entries: listed = [] } = await ask('lists/block/?limit=1', { headers });
  const { key } = await ask('dashboard/keys/', { headers, body: { name: 'x'.repeat(100) } });
  const url = `https://example.com/${'x'.repeat(200)}`;
  const { endpoint } = await ask('webhooks/endpoints/', { headers, body: { url } });
  return {
    jobs,
    version: '1',
    lists: listed[0]?.id ?? '1',
    keys: key?.id ?? '1',
    webhooks: endpoint?.id ?? '1',
  };
}
