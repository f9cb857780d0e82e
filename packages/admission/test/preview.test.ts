import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import t from 'tap';
import { createPreview } from '../src/create-preview.js';
import type { Candidate } from '../src/submission.js';
import { setUp, VERDICT } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { account, admission, check, submission, redis, preview } = setting;

const ENTRIES = [
  { list: 'block', kind: 'domain', match: 'exact', value: 'bad.example', expires_at: null },
  { list: 'allow', kind: 'network', match: 'exact', value: '203.0.113.0/24', expires_at: null },
  { list: 'allow', kind: 'address', match: 'mailbox', value: 'friend@gmail.com', expires_at: null },
] as const;

/** Addresses that meet lists and each other, some from one IP. */
const ADDRESSES = [
  'a@bad.example',
  'b@sub.bad.example',
  'friend+one@gmail.com',
  'friend@gmail.com',
  'f.riend@gmail.com',
  'c@good.example',
  'c@good.example',
  'd@good.example',
] as const;

function checkOf(canonical: string, i: number): Candidate {
  const domain = canonical.slice(canonical.lastIndexOf('@') + 1);
  const alias = mailboxOf({ canonical, domain }) !== canonical;
  const verdict = { ...VERDICT, extra: { ...VERDICT.extra, alias } };
  return check({ canonical, normalIp: i % 2 === 0 ? `203.0.113.${i}` : '198.51.100.7', verdict });
}

/** Everything that Redis holds, byte for byte. */
async function dump(): Promise<Record<string, string | undefined>> {
  const keys = (await redis.keys('*')).sort();
  const texts = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
  return Object.fromEntries(keys.map((key, i) => [key, texts[i]?.toString('base64')]));
}

t.test('a preview tells what the step then finds, check after check', async (t) => {
  const caller = await account({ tracked: 10_000, entries: ENTRIES, policies: '3/4' });
  for (const [i, canonical] of ADDRESSES.entries()) {
    const one = checkOf(canonical, i);
    const expected = await preview(caller.accountId, [one]);
    const again = await preview(caller.accountId, [one]);
    t.same({ ...again, nowMicros: 0 }, { ...expected, nowMicros: 0 }, `${canonical}: asked twice, the same`);
    const taken = await admission.take({ ...submission(caller, [one]), policies: '3/4' });
    if (taken.state !== 'granted') throw new Error(taken.state);
    t.same(expected.matches, taken.matches, `${canonical}: matches`);
    t.same(expected.seen, taken.seen, `${canonical}: repetitions`);
    t.equal(expected.policies, taken.policies);
    t.ok(expected.nowMicros <= taken.nowMicros);
  }
});

t.test('a preview of several checks tells what the step finds of them together', async (t) => {
  const caller = await account({ tracked: 10_000, entries: ENTRIES });
  const checks = ADDRESSES.map(checkOf);
  const expected = await preview(caller.accountId, checks);
  const taken = await admission.take(submission(caller, checks));
  if (taken.state !== 'granted') throw new Error(taken.state);
  t.ok(
    expected.matches.length > 2 &&
      expected.seen.some(({ counts }) => counts.some((count) => count && count > 1)),
  );
  t.same([expected.matches, expected.seen], [taken.matches, taken.seen]);
});

t.test('a preview writes nothing', async (t) => {
  const caller = await account({ tracked: 10_000, entries: ENTRIES, policies: '3/4' });
  await admission.take({ ...submission(caller, [checkOf('c@good.example', 1)]), policies: '3/4' });
  const before = await dump();
  await preview(caller.accountId, ADDRESSES.map(checkOf));
  t.same(await dump(), before);
});

t.test('a preview asks neither key nor limit', async (t) => {
  const caller = await account({ limit: 0, rate: 1, status: 'inactive', tracked: 100 });
  const { seen, policies, wantsIpNetworks } = await preview(caller.accountId, [check()]);
  t.same([seen[0]?.counts[0], policies, wantsIpNetworks], [1, '', true]);
});

t.test('a preview without fingerprints counts nothing, and a lost account is projected', async (t) => {
  const caller = await account({ tracked: 100, entries: ENTRIES });
  const asked: string[] = [];
  const uncounted = createPreview({ store: setting.store, project: async (id) => void asked.push(id) });
  const { seen, matches } = await uncounted(caller.accountId, [checkOf('a@bad.example', 0)]);
  t.same([seen, matches[0]?.list], [[], 'block']);
  await t.rejects(uncounted('acc_nowhere', [check()]), /absent/);
  t.same(asked, ['acc_nowhere']);
});
