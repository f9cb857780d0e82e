import type { StepNote } from '@verdict/contracts/step-note.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { accountKey, noteKey } from '@verdict/redis-store/keys.js';
import { takeNotes } from '@verdict/redis-store/notes.js';
import { redisNowMicros } from '@verdict/redis-store/redis-now.js';
import { look } from '@verdict/redis-store/step.js';
import { STEP_SCRIPT } from '@verdict/redis-store/step-script.js';
import t from 'tap';
import { StepUndone } from '../src/take-step.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { redis, store, admission, account, check, submission, counted, queued, fresh } = setting;

t.test('a check is granted, counted, queued and stamped with the clock of Redis, in one step', async (t) => {
  const caller = await account({ limit: 5, used: 2 });
  const one = check();
  const before = await redisNowMicros(redis);
  const outcome = await admission.take(submission(caller, [one]));
  const after = await redisNowMicros(redis);
  t.match(outcome, { state: 'granted', used: 3, matches: [], account: { plan: 'free', limit: 5, used: 3 } });
  t.ok(outcome.state === 'granted' && before <= outcome.nowMicros && outcome.nowMicros <= after);
  t.equal(await counted(caller), 3);
  t.strictSame(await queued(caller), [one.id]);
  const notes = await redis.keys(noteKey(0, '*'));
  t.strictSame(
    await Promise.all(notes.map((key) => redis.ttl(key))),
    notes.map(() => -1),
    'its note lasts for as long as workers are away',
  );
});

t.test('an account that Redis does not have is brought there and asked for again', async (t) => {
  const caller = { accountId: fresh('acc'), keyId: 'k', credential: 'c' };
  await t.rejects(admission.take(submission(caller)), { name: 'StepUndone', message: 'absent' });
  t.strictSame(setting.projected.filter((id) => id === caller.accountId).length, 1);
  t.strictSame(await queued(caller), []);
});

t.test('an inactive, an unknown and an expired credential are refused and count nothing', async (t) => {
  const inactive = await account({ status: 'inactive' });
  t.match(await admission.take(submission(inactive)), { state: 'forbidden' });
  const active = await account();
  t.match(await admission.take(submission({ ...active, credential: 'stranger' })), { state: 'forbidden' });
  const expired = await account({ status: 'until:1000' });
  t.match(await admission.take(submission(expired)), { state: 'forbidden' });
  const rolled = await account({ status: `until:${(Date.now() + 60_000) * 1000}` });
  t.match(await admission.take(submission(rolled)), { state: 'granted' });
  t.equal(await counted(inactive), 0);
  t.strictSame(await queued(inactive), []);
});

t.test('exactly as many checks pass as the month has left, however many ask at once', async (t) => {
  const caller = await account({ limit: 100, used: 40 });
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => admission.take(submission(caller))));
  t.equal(outcomes.filter(({ state }) => state === 'granted').length, 60);
  const denied = outcomes.filter(({ state }) => state === 'quota');
  t.equal(denied.length, 140);
  t.ok(
    denied.every((outcome) => outcome.state === 'quota' && outcome.used === 100),
    'a denied check shows used = limit',
  );
  t.equal(await counted(caller), 100);
  t.equal((await queued(caller)).length, 60);
});

t.test('the checks of a submission are granted together or not at all', async (t) => {
  const caller = await account({ limit: 10, used: 7 });
  const many = (count: number) => Array.from({ length: count }, () => check());
  t.match(await admission.take(submission(caller, many(4))), { state: 'quota', used: 7 });
  t.match(await admission.take(submission(caller, many(3))), { state: 'granted', used: 10 });
  t.equal(await counted(caller), 10);
  t.equal((await queued(caller)).length, 3);

  const slow = await account({ rate: 10 });
  t.match(await admission.take(submission(slow, many(11))), { state: 'rate', used: 0 });
  t.match(await admission.take(submission(slow, many(10))), { state: 'granted', account: { rateLeft: 0 } });
  const big = await account({ limit: 10_000 });
  t.match(await admission.take(submission(big, many(1_000))), { state: 'granted', used: 1_000 });
  t.equal((await queued(big)).length, 1_000);
});

t.test('a key may spend one second of its rate at once and no more; rates are kept per key', async (t) => {
  const caller = await account({ rate: 10 });
  const outcomes = await Promise.all(Array.from({ length: 15 }, () => admission.take(submission(caller))));
  t.equal(outcomes.filter(({ state }) => state === 'granted').length, 10);
  const refused = outcomes.filter((outcome) => outcome.state === 'rate');
  t.equal(refused.length, 5);
  const waits = refused.map((outcome) => (outcome.state === 'rate' ? outcome.account.rateWaitMicros : 0));
  t.ok(waits.every((micros) => micros > 0 && micros <= 100_000));
  t.equal(await counted(caller), 10, 'what came too fast is not counted');
  const sibling = { ...caller, keyId: fresh('key') };
  t.match(await admission.take(submission(sibling)), { state: 'granted' });
});

t.test('two credentials of one account share its quota, and of one key its rate, in one batch', async (t) => {
  const caller = await account({ limit: 3, rate: 2, others: ['other', 'third'] });
  const other = { ...caller, credential: 'other' };
  const elsewhere = { ...caller, keyId: fresh('key'), credential: 'third' };
  const outcomes = await Promise.all(
    [caller, other, caller, elsewhere, elsewhere].map((one) => admission.take(submission(one))),
  );
  t.strictSame(
    outcomes.map(({ state }) => state),
    ['granted', 'granted', 'rate', 'granted', 'quota'],
  );
  t.equal(await counted(caller), 3);
});

t.test('a clock that was set back locks no key out', async (t) => {
  const caller = await account({ rate: 1 });
  // The state after a burst when the clock is then set back by an hour.
  const anHourAhead = (Date.now() + 3_600_000) * 1000;
  await redis.hset(accountKey(caller.accountId, 1), `t:${caller.keyId}`, anHourAhead);
  // Both in one step, at one moment: a second later the rate would have been earned back.
  const outcomes = await Promise.all([caller, caller].map((one) => admission.take(submission(one))));
  t.strictSame(
    outcomes.map(({ state }) => state),
    ['granted', 'rate'],
  );
});

t.test('looking says what would happen, and changes nothing', async (t) => {
  const caller = await account({ limit: 8, used: 7 });
  const before = await redis.dbsize();
  const seen = await admission.look({ caller, count: 1, once: null });
  t.match(seen, { state: 'granted', used: 8 });
  t.match(await admission.look({ caller, count: 2, once: null }), { state: 'quota', used: 7 });
  t.match(await admission.look({ caller, count: 0, once: null }), { state: 'granted', account: { used: 7 } });
  const together = Array.from({ length: 5 }, () => admission.look({ caller, count: 1, once: null }));
  for (const one of await Promise.all(together))
    t.match(one, { state: 'granted', used: 8 }, 'each for itself');
  t.equal(await counted(caller), 7);
  t.equal(await redis.dbsize(), before);
});

t.test('who was granted a moment ago is trusted until the first refusal', async (t) => {
  const caller = await account({ limit: 1 });
  t.equal(admission.isTrusted(caller), false);
  await admission.take(submission(caller));
  t.equal(admission.isTrusted(caller), true);
  await admission.take(submission(caller));
  t.equal(admission.isTrusted(caller), false);
});

t.test('the most specific entry of the lists is found: address, domain, parents, IP', async (t) => {
  const caller = await account({
    lists: { 'a@x.example': 'allow:address', 'x.example': 'block:domain', '10.0.0.1': 'block:ip' },
  });
  const checks = [
    check({ canonical: 'a@x.example', normalIp: '10.0.0.1' }),
    check({ canonical: 'b@deep.x.example' }),
    check({ canonical: 'b@y.example', normalIp: '10.0.0.1' }),
    check({ canonical: 'b@y.example' }),
  ];
  const outcome = await admission.take(submission(caller, checks));
  t.match(outcome, {
    matches: [
      { at: 0, list: 'allow', kind: 'address', value: 'a@x.example' },
      { at: 1, list: 'block', kind: 'domain', value: 'x.example' },
      { at: 2, list: 'block', kind: 'ip', value: '10.0.0.1' },
    ],
  });
});

t.test('a batch that is sent again is answered from its note and counts once', async (t) => {
  const caller = await account();
  const batchId = fresh('bat');
  const one = { ...submission(caller), batchId };
  const first = await admission.take(one);
  const second = await admission.take(one);
  t.strictSame(second, first);
  t.equal(await counted(caller), 1);
  t.equal((await queued(caller)).length, 1);

  // Also when the job was persisted and completed in between: the worker lets the note live on for a while.
  await setting.complete(batchId);
  await redis.expire(noteKey(0, batchId), 120);
  t.strictSame(await admission.take(one), first);
  t.equal(await counted(caller), 1);
});

t.test('a connection that breaks with the step in flight counts it once', async (t) => {
  const caller = await account({ limit: 100_000 });
  const steps = Array.from({ length: 300 }, async (_, i) => {
    if (i % 30 === 0) setting.breakConnection();
    return admission.take(submission(caller)).catch((error: Error) => ({ state: error.message }));
  });
  const outcomes = await Promise.all(steps);
  const granted = outcomes.filter(({ state }) => state === 'granted').length;
  t.ok(granted > 0);
  const count = await counted(caller);
  t.equal((await queued(caller)).length, count, 'what is counted is queued, and nothing else');
  t.ok(count >= granted, `${granted} answered, ${count} counted`);
  t.equal(new Set(await queued(caller)).size, count, 'and nothing twice');
});

t.test('a batch that arrives too late is refused, and the sender learns the time', async (t) => {
  const caller = await account();
  setting.clock.set(Date.now() * 1000 - 3_600_000_000);
  t.match(await admission.take(submission(caller)), { state: 'granted' }, 'tried again, with the right time');
  t.equal(await counted(caller), 1);
  t.equal((await queued(caller)).length, 1);
  setting.clock.set(Date.now() * 1000 + 3_600_000_000);
  t.match(await admission.take(submission(caller)), { state: 'granted' });
});

t.test('a step that is sent again after its note is gone is not taken under another id', async (t) => {
  const caller = await account();
  await admission.take(submission(caller));
  const keysBefore = await redis.keys(noteKey(0, '*'));
  // Born so that it is in time now, and late in a second.
  const bornMicros = (await redisNowMicros(redis)) - 29_000_000;
  setting.clock.set(bornMicros);
  setting.loseReplies();
  const taken = admission.take(submission(caller));
  taken.catch(() => undefined);
  await eventually(async () => (await counted(caller)) === 2);
  // A worker stored it, and its note has expired.
  const [note = ''] = (await redis.keys(noteKey(0, '*'))).filter((key) => !keysBefore.includes(key));
  await redis.del(note);
  await setting.complete(note.slice(noteKey(0, '').length));
  await eventually(async () => (await redisNowMicros(redis)) > bornMicros + 31_000_000);
  setting.breakConnection();
  await t.rejects(taken, { name: 'Error', message: /sent again too late/ });
  t.equal(await counted(caller), 2);
  t.match(await admission.take(submission(caller)), { state: 'granted', used: 3 }, 'and the next one is');
});

t.test('a batch whose job went by without a note is void: it can never count', async (t) => {
  const caller = await account();
  const batchId = fresh('bat');
  const [text] = await takeNotes(redis, 0, [batchId]);
  t.match(text, /"undone":"void"/);
  await t.rejects(admission.take({ ...submission(caller), batchId }), StepUndone);
  t.equal(await counted(caller), 0);
  t.strictSame(await queued(caller), []);
});

t.test('scripts that Redis forgot are sent again, and nothing is counted without its log', async (t) => {
  const caller = await account({ limit: 100_000 });
  for (let round = 0; round < 5; round++) {
    await redis.script('FLUSH');
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => admission.take(submission(caller))));
    t.ok(outcomes.every(({ state }) => state === 'granted'));
    t.match(await admission.look({ caller, count: 1, once: null }), { state: 'granted' });
  }
  t.equal(await counted(caller), 100);
  t.equal((await queued(caller)).length, 100);
});

t.test('a step whose reply went down with a Redis that then forgot its scripts counts once', async (t) => {
  const caller = await account();
  await admission.take(submission(caller));
  setting.loseReplies();
  const taken = admission.take(submission(caller));
  await eventually(async () => (await counted(caller)) === 2);
  await redis.script('FLUSH');
  setting.breakConnection();
  t.match(await taken, { state: 'granted', used: 2 }, 'answered from its note');
  t.equal(await counted(caller), 2);
  t.equal((await queued(caller)).length, 2);
});

t.test(
  'a step that Redis has no memory for leaves nothing that counts, before it and within it',
  async (t) => {
    const caller = await account({ limit: 100_000 });
    await redis.config('SET', 'maxmemory', '1');
    await t.rejects(admission.take(submission(caller)), /OOM/);
    await redis.config('SET', 'maxmemory', '0');
    t.equal(await counted(caller), 0);
    t.strictSame(await queued(caller), []);

    // An error between job and note: the job is there, the note is not.
    const batchId = fresh('bat');
    const failing = `(function() ${setting.inserts.script}\nend)() error('OOM')`;
    await t.rejects(setting.stepWith(caller, batchId, failing), /OOM/);
    t.equal(await redis.exists(setting.inserts.jobKey(0, batchId)), 1);
    t.equal(await redis.exists(noteKey(0, batchId)), 0, 'so the job means nothing');
    t.equal(await counted(caller), 0);
    t.match(await admission.take(submission(caller)), { state: 'granted' }, 'and the next one is well');
  },
);

t.test(
  'a step that grants nothing leaves no job and no note, and may be taken again under its id',
  async (t) => {
    const caller = await account({ limit: 1 });
    await admission.take(submission(caller));
    const before = (await redis.keys('*')).sort();
    const batchId = fresh('bat');
    t.match(await admission.take({ ...submission(caller), batchId }), { state: 'quota' });
    t.strictSame((await redis.keys('*')).sort(), before);
    await redis.hset(accountKey(caller.accountId, 1), 'limit', '2');
    await redis.hdel(accountKey(caller.accountId, 1), 'p');
    t.match(await admission.take({ ...submission(caller), batchId }), { state: 'granted', used: 2 });
  },
);

t.test('a plan that a release without the packed record wrote holds for the next check', async (t) => {
  const caller = await account({ limit: 10 });
  t.match(await admission.take(submission(caller)), { state: 'granted', account: { limit: 10 } });
  await redis.hset(accountKey(caller.accountId, 1), 'v', '2', 'plan', 'small "plan"', 'limit', '2');
  t.match(await admission.take(submission(caller)), {
    state: 'granted',
    used: 2,
    account: { limit: 2, plan: 'small "plan"' },
  });
  t.match(await admission.take(submission(caller)), { state: 'quota', used: 2 });
});

t.test('the step counts nothing when the job is not there', async (t) => {
  const caller = await account();
  const batchId = fresh('bat');
  const text = await setting.stepWith(caller, batchId, 'return 1');
  t.match(JSON.parse(String(text)), { undone: 'no_job', groups: [] });
  t.equal(await counted(caller), 0);
  t.equal(await redis.exists(noteKey(0, batchId)), 0);
});

t.test('counter = rows + queued at every instant, with a worker that persists meanwhile', async (t) => {
  const caller = await account({ limit: 100_000 });
  let isOver = false;
  const persisted = new Set<string>();
  const worker = (async () => {
    while (!isOver) await setting.persistSome(persisted);
  })();
  const watcher = (async () => {
    let looks = 0;
    for (; !isOver; looks++) {
      const seen = await setting.instant(caller);
      t.ok(seen.counted === seen.queued, `${seen.counted} counted, ${seen.queued} queued or persisted`);
    }
    return looks;
  })();
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let i = 0; i < 20; i++) await admission.take(submission(caller));
    }),
  );
  isOver = true;
  await worker;
  t.ok((await watcher) > 5);
  t.equal(await counted(caller), 400);
});

t.test('a month is that of the clock of Redis, through leap years and turns of the year', async (t) => {
  // The script's own calendar against JavaScript's, on the days where calendars go wrong.
  const start = STEP_SCRIPT.indexOf('local function monthOf');
  const end = STEP_SCRIPT.indexOf('local usedField');
  const script = `${STEP_SCRIPT.slice(start, end)}\nreturn monthOf(tonumber(ARGV[1]))`;
  const days = [
    '1970-01-01',
    '1999-12-31',
    '2000-02-29',
    '2024-02-29',
    '2026-11-30',
    '2026-12-01',
    '2100-02-28',
    '2100-03-01',
  ];
  for (const day of days) {
    for (const time of ['T00:00:00Z', 'T23:59:59Z']) {
      const seconds = Date.parse(day + time) / 1000;
      t.equal(await redis.eval(script, 0, seconds), day.slice(0, 7), day + time);
    }
  }
});

t.test('one account that cannot be decided does not spoil the numbers of another', async (t) => {
  const caller = await account({ limit: 2_500_000_000_000_000, used: 1_000_000_000_000_000 });
  const { callers } = JSON.parse(await look(store, [{ caller, count: 0, once: null }])) as StepNote;
  t.match(callers, [{ limit: 2_500_000_000_000_000, used: 1_000_000_000_000_000 }]);
});
