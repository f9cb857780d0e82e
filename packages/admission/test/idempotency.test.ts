import type { Verdict } from '@verdict/contracts/verdict.js';
import { recordKey } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { decide } from '../src/decide.js';
import { ENGINE } from '../src/engine.js';
import { hashIdempotencyKey, readRecord, redactRecord, toIdempotency } from '../src/replay-record.js';
import { setUp, VERDICT } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { redis, admission, account, check, submission, counted, fresh } = setting;

/** Many factors and a unique sentence, as few verdicts have. */
const LONG: Verdict = {
  ...VERDICT,
  risk_score: 60,
  extra: { ...VERDICT.extra, suggestion: 'jane.doe@gmail.com', plus_tag: true },
  factors: [
    { code: 'LIKELY_TYPO', points: 45, reason: 'The domain looks mistyped: did you mean gmail.com?' },
    { code: 'RANDOM_LOCAL', points: 10, reason: 'The mailbox name looks randomly generated' },
    { code: 'PLUS_TAG', points: 5, reason: 'The mailbox name carries a +tag' },
  ],
};

/** The longest sentences that come together, with names in two of them. */
const LONGEST: Verdict = {
  ...VERDICT,
  risk_score: 89,
  signals: { disposable_email: true, mx_valid: true, free_provider: false },
  extra: { ...VERDICT.extra, role_account: true, mx_unknown: true },
  factors: [
    {
      code: 'DISPOSABLE_MX_SINGLE_SOURCE',
      points: 50,
      reason:
        'A single source says that the mail server of this domain (mx1.mail-provider-front.example) belongs to a disposable service',
    },
    {
      code: 'ROLE_ACCOUNT',
      points: 15,
      reason: 'The mailbox is a role such as info or support, not a person',
    },
    {
      code: 'UNESTABLISHED_RISKY_ENDING',
      points: 14,
      reason: 'The ending .click is often used for throw-away domains, and no known site is at this one',
    },
    { code: 'DNS_INDETERMINATE', points: 10, reason: 'The mail servers could not be checked' },
  ],
};

async function once(verdict = VERDICT, body = 'the body') {
  const caller = await account();
  const one = check({ verdict });
  const name = hashIdempotencyKey(`${caller.accountId} key`);
  const made = toIdempotency(name, hashIdempotencyKey(body), { checks: [one] });
  return {
    caller,
    one,
    made,
    name,
    submit: () => admission.take({ ...submission(caller, [one]), once: made }),
  };
}

t.test('what a check left answers the same again, and nothing is counted', async (t) => {
  const { caller, one, made, submit } = await once(LONG);
  const first = await submit();
  if (first.state !== 'granted') throw new Error(first.state);
  const again = await submit();
  const seen = await admission.look({ caller, count: 1, once: { ...made, rest: '' } });
  if (again.state !== 'replay' || seen.state !== 'replay') throw new Error(again.state);
  t.equal(seen.record, again.record);
  t.match(seen.account, { used: 1 }, 'and it says what is left now');
  t.strictSame(readRecord(again.record), {
    body: hashIdempotencyKey('the body'),
    nowMicros: first.nowMicros,
    matches: [],
    seen: [],
    ids: [one.id],
    verdicts: [decide(LONG)],
    datasets: undefined,
    networks: undefined,
    policies: '',
    networkTexts: undefined,
    key: undefined,
    engine: ENGINE,
  });
  t.equal(await counted(caller), 1);
});

/** A record as the release before left it: no decision in the verdict, none in the match. */
const OF_RELEASE_BEFORE =
  '1Qw9eR-Mgi0DTEMswowiTKDMnCxcDNyMPEy_UUE9MSk5JTUvPwBv6ZsMy-NGyGCwqzJCjgviyDEecGRjqY2WixBwA';

t.test('a record of the release before answers as it did then', async (t) => {
  const head = `${hashIdempotencyKey('the body')}1794736800000000`;
  const match = { at: 0, list: 'block', kind: 'domain', value: 'b.example' };
  t.match(readRecord(`${head}${JSON.stringify([match])}\n${OF_RELEASE_BEFORE}`), {
    ids: ['log_01KA3R8Q5T9V2X4Z6B8D0F2H4J'],
    matches: [{ ...match, decision: 'block', risk_score: 100 }],
    verdicts: [{ risk_score: 60, decision: 'review' }],
  });
});

t.test('of fifty twins one is counted, and all the others get its record', async (t) => {
  const { caller, submit } = await once();
  const outcomes = await Promise.all(Array.from({ length: 50 }, submit));
  t.equal(outcomes.filter(({ state }) => state === 'granted').length, 1);
  t.equal(outcomes.filter(({ state }) => state === 'replay').length, 49);
  t.equal(await counted(caller), 1);
});

t.test('twins that only look find nothing before one of them took the step', async (t) => {
  const { caller, made } = await once();
  const looks = Array.from({ length: 20 }, () =>
    admission.look({ caller, count: 1, once: { ...made, rest: '' } }),
  );
  t.ok((await Promise.all(looks)).every(({ state }) => state === 'granted'));
});

t.test('a record of many checks replays them all', async (t) => {
  const caller = await account({ lists: { 'b.example': 'block:domain' } });
  const checks = [check(), check({ canonical: 'x@other.example', verdict: LONG }), check()];
  const made = toIdempotency(hashIdempotencyKey('batch'), hashIdempotencyKey('body'), { checks });
  await admission.take({ ...submission(caller, checks), once: made });
  const again = await admission.take({ ...submission(caller, checks), once: made });
  if (again.state !== 'replay') throw new Error(again.state);
  t.match(readRecord(again.record), {
    ids: checks.map(({ id }) => id),
    verdicts: [VERDICT, LONG, VERDICT],
    matches: [{ at: 0 }, { at: 2, list: 'block', kind: 'domain', value: 'b.example' }],
  });
  t.equal(await counted(caller), 3);
});

t.test('whoever may no longer speak gets no replay, and a refused check leaves no record', async (t) => {
  const { caller, made, submit } = await once();
  await submit();
  const revoked = { ...caller, credential: 'revoked' };
  t.match(await admission.look({ caller: revoked, count: 1, once: made }), { state: 'forbidden' });
  t.match(await admission.take({ ...submission(revoked), once: made }), { state: 'forbidden' });

  const poor = await account({ limit: 0 });
  const own = { ...made, name: hashIdempotencyKey(`${poor.accountId} key`) };
  t.match(await admission.take({ ...submission(poor), once: own }), { state: 'quota' });
  t.equal(await redis.exists(recordKey(poor.accountId, own.name, 1)), 0);
});

t.test('a remembered check takes at most 400 bytes of Redis, and is gone after a day', async (t) => {
  for (const verdict of [VERDICT, LONG, LONGEST]) {
    const { caller, name, submit } = await once(verdict);
    await submit();
    const key = recordKey(caller.accountId, name, 1);
    const bytes = Number(await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'));
    t.ok(bytes <= 400, `${bytes} bytes with ${verdict.factors.length} factors`);
    const seconds = await redis.ttl(key);
    t.ok(seconds > 86_000 && seconds <= 86_400);
  }
});

t.test('a person is taken out of a record, and nobody else', async (t) => {
  const caller = await account();
  const checks = [check({ canonical: 'jane@b.example', verdict: LONG }), check()];
  const made = toIdempotency(hashIdempotencyKey(fresh('key')), hashIdempotencyKey('body'), { checks });
  await admission.take({ ...submission(caller, checks), once: made });
  const record = (await redis.get(recordKey(caller.accountId, made.name, 1))) ?? '';
  t.equal(redactRecord(record, ['somebody@else.example']), null);
  const redacted = redactRecord(record, ['jane@b.example']) ?? '';
  t.match(readRecord(redacted), { ids: checks.map(({ id }) => id), verdicts: [null, VERDICT] });
  t.equal(redactRecord(redacted, ['jane@b.example']), null, 'once is enough');
});
