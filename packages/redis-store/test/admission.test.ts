import { randomFillSync } from 'node:crypto';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import t from 'tap';
import { type AdmissionReply, admit, type Caller } from '../src/admit.js';
import { durabilityWarnings } from '../src/check-durability.js';
import { connectForRequests } from '../src/connect.js';
import { accountKey, reservedKey } from '../src/keys.js';
import { projectAccount } from '../src/project.js';
import { refund } from '../src/refund.js';
import { settle } from '../src/reservations.js';

const server = await startRedis();
const redis = connectForRequests({ url: server.url }, 'test');
await redis.connect();
t.teardown(async () => {
  redis.disconnect();
  await server.stop();
});

let made = 0;
const fresh = (name: string) => {
  const bytes = new Uint8Array(6);
  randomFillSync(bytes);
  return `${name}_${made++}_${Buffer.from(bytes).toString('hex')}`;
};
const thisMonth = new Date().toISOString().slice(0, 7);

interface Terms {
  limit?: number;
  rate?: number;
  used?: number;
  status?: string;
}

/** An account of the test's own, as the control plane would have written it. */
async function account({
  limit = 1_000,
  rate = 100_000,
  used = 0,
  status = 'active',
}: Terms = {}): Promise<Caller> {
  const caller = { accountId: fresh('acc'), keyId: fresh('key'), credential: fresh('tag') };
  await projectAccount(redis, {
    accountId: caller.accountId,
    version: 1,
    plan: 'free',
    limit,
    rate,
    used: [{ month: thisMonth, checks: used }],
    credentials: [{ name: caller.credential, status }],
    listsVersion: 0,
    lists: [],
  });
  return caller;
}

const check = (logId = fresh('log'), address = 'a@b.example', domain = 'b.example', ip = '') => ({
  logId,
  address,
  domain,
  ip,
});

function known(reply: AdmissionReply): Extract<AdmissionReply, { state: 'known' }> {
  if (reply.state !== 'known') throw new Error(`the account is ${reply.state}`);
  return reply;
}

t.test('a check is granted, counted, reserved and stamped with the clock of Redis', async (t) => {
  const caller = await account({ limit: 5, used: 2 });
  const request = check();
  const { account: view, admissions } = known(await admit(redis, caller, [request]));
  t.match(admissions, [{ outcome: 'granted', used: 3, match: '' }]);
  t.match(view, { plan: 'free', limit: 5, used: 3 });
  const [seconds] = await redis.time();
  t.ok(Math.abs((admissions[0]?.admittedAtMicros ?? 0) / 1e6 - Number(seconds)) < 5);
  t.equal(
    await redis.zscore(reservedKey(caller.accountId), request.logId),
    String(admissions[0]?.admittedAtMicros),
  );
});

t.test('asking twice with one log id answers the same and counts once', async (t) => {
  const caller = await account();
  const request = check();
  const first = known(await admit(redis, caller, [request])).admissions[0];
  const second = known(await admit(redis, caller, [request])).admissions[0];
  t.equal(second?.admittedAtMicros, first?.admittedAtMicros);
  t.match(second, { outcome: 'granted', used: 1 });
});

t.test('an account that Redis lost is absent, never empty and never unknown', async (t) => {
  const caller = { accountId: fresh('acc'), keyId: 'k', credential: 'c' };
  t.same(await admit(redis, caller, [check()]), { state: 'absent' });
});

t.test('an inactive, an unknown and an expired credential are refused and count nothing', async (t) => {
  const inactive = await account({ status: 'inactive' });
  t.same(await admit(redis, inactive, [check()]), { state: 'forbidden' });
  const active = await account();
  t.same(await admit(redis, { ...active, credential: 'stranger' }, [check()]), { state: 'forbidden' });
  const expired = await account({ status: 'until:1000' });
  t.same(await admit(redis, expired, [check()]), { state: 'forbidden' });
  const rolled = await account({ status: `until:${(Date.now() + 60_000) * 1000}` });
  t.equal((await admit(redis, rolled, [check()])).state, 'known');
  t.equal(await redis.hget(accountKey(inactive.accountId), `u:${thisMonth}`), '0');
});

t.test('exactly as many checks pass as the month has left, however many ask at once', async (t) => {
  const caller = await account({ limit: 100, used: 40 });
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => admit(redis, caller, [check(), check(), check(), check()])),
  );
  const admissions = replies.flatMap((reply) => known(reply).admissions);
  t.equal(admissions.filter(({ outcome }) => outcome === 'granted').length, 60);
  const denied = admissions.filter(({ outcome }) => outcome === 'quota');
  t.equal(denied.length, 140);
  t.ok(
    denied.every(({ used }) => used === 100),
    'a denied check shows used = limit',
  );
  t.equal(await redis.hget(accountKey(caller.accountId), `u:${thisMonth}`), '100');
  t.equal(await redis.zcard(reservedKey(caller.accountId)), 60);
});

t.test('a key may spend one second of its rate at once and no more', async (t) => {
  const caller = await account({ rate: 10 });
  const reply = known(
    await admit(
      redis,
      caller,
      Array.from({ length: 15 }, () => check()),
    ),
  );
  t.equal(reply.admissions.filter(({ outcome }) => outcome === 'granted').length, 10);
  t.equal(reply.admissions.filter(({ outcome }) => outcome === 'rate').length, 5);
  t.equal(reply.account.rateRemaining, 0);
  t.ok(reply.account.rateWaitMicros > 0 && reply.account.rateWaitMicros <= 100_000);
  t.equal(reply.account.used, 10, 'what came too fast is not counted');
});

t.test('rates are kept per key', async (t) => {
  const caller = await account({ rate: 1 });
  t.match(known(await admit(redis, caller, [check(), check()])).admissions, [
    { outcome: 'granted' },
    { outcome: 'rate' },
  ]);
  const sibling = { ...caller, keyId: fresh('key') };
  t.match(known(await admit(redis, sibling, [check()])).admissions, [{ outcome: 'granted' }]);
});

t.test('a clock that was set back locks no key out', async (t) => {
  const caller = await account({ rate: 1 });
  // What a burst leaves behind when the clock is set back by an hour right after it.
  const anHourAhead = (Date.now() + 3_600_000) * 1000;
  await redis.hset(accountKey(caller.accountId), `t:${caller.keyId}`, anHourAhead);
  t.match(known(await admit(redis, caller, [check(), check()])).admissions, [
    { outcome: 'granted' },
    { outcome: 'rate' },
  ]);
});

t.test('a refund gives a check back once, to the month it was charged to', async (t) => {
  const caller = await account();
  const request = check();
  await admit(redis, caller, [request, check()]);
  const refunds = [{ logId: request.logId, month: thisMonth }];
  t.equal(await refund(redis, caller.accountId, refunds), 1);
  t.equal(await refund(redis, caller.accountId, refunds), 0);
  t.equal(known(await admit(redis, caller, [])).account.used, 1);
});

t.test('looking counts nothing', async (t) => {
  const caller = await account({ used: 7 });
  t.match(known(await admit(redis, caller, [])), { account: { used: 7 }, admissions: [] });
  t.match(known(await admit(redis, caller, [])), { account: { used: 7 } });
});

t.test('a month is that of the clock of Redis, through leap years and turns of the year', async (t) => {
  // The script's own calendar against JavaScript's, on the days where calendars go wrong.
  const script = await monthFunction();
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

async function monthFunction(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  const source = await readFile(new URL('../../lua/admit.lua', import.meta.url), 'utf8');
  const start = source.indexOf('local function monthOf');
  const end = source.indexOf('local usedField');
  return `${source.slice(start, end)}\nreturn monthOf(tonumber(ARGV[1]))`;
}

t.test('settling drops the reservations that are named, of every account, and no others', async (t) => {
  const [many, one, other] = [await account({ limit: 5_000 }), await account(), await account()];
  const ids = Array.from({ length: 2_500 }, () => fresh('log'));
  for (let at = 0; at < ids.length; at += 500) {
    await admit(
      redis,
      many,
      ids.slice(at, at + 500).map((id) => check(id)),
    );
  }
  const [settled, stays] = [fresh('log'), fresh('log')];
  await admit(redis, one, [check(settled), check(stays)]);
  await admit(redis, other, [check(settled)]);
  await settle(
    redis,
    new Map([
      [many.accountId, ids],
      [one.accountId, [settled, 'log_nobody']],
      [fresh('acc'), []],
    ]),
  );
  t.equal(await redis.zcard(reservedKey(many.accountId)), 0);
  t.same(await redis.zrange(reservedKey(one.accountId), '0', '-1'), [stays]);
  t.same(await redis.zrange(reservedKey(other.accountId), '0', '-1'), [settled]);
});

t.test('a script that Redis forgot is sent again', async (t) => {
  const caller = await account();
  await redis.script('FLUSH');
  t.equal((await admit(redis, caller, [check()])).state, 'known');
});

t.test('settings that can lose answered checks are told, one sentence each', async (t) => {
  t.same(await durabilityWarnings(redis), []);
  const careless = await startRedis({
    appendonly: 'no',
    appendfsync: 'everysec',
    maxmemoryPolicy: 'allkeys-lru',
  });
  const connection = connectForRequests({ url: careless.url }, 'test');
  await connection.connect();
  t.teardown(async () => {
    connection.disconnect();
    await careless.stop();
  });
  t.equal((await durabilityWarnings(connection)).length, 3);
});
