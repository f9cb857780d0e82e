import type { CheckRow } from '@verdict/db/checks/check-row.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { storeOrigins } from '@verdict/db/groups/network-origins.js';
import { regroupHour } from '@verdict/db/groups/regroup-hour.js';
import { ungroupedHours } from '@verdict/db/groups/ungrouped-hours.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import t from 'tap';
import { createId, rowOf } from './support/check-rows.js';
import { type Customer, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const { db } = stores;
const LOGS = '/api/v1/dashboard/logs/';
const GROUPS = '/api/v1/dashboard/checks/groups/';
const KEY = createId('key');

/** A check of an address, with what the test needs of it. */
function checkOf(
  { accountId }: Customer,
  email: string,
  { ip = '192.0.2.1', decision = 'allow', codes = [] as string[], mx = '' } = {},
): CheckRow {
  const row = rowOf(accountId, KEY);
  const [local = '', domain = ''] = email.split('@');
  const mailbox = `${local.split('+')[0]}@${domain}`;
  const hash = (text: string) => hashEmail(plane.deps.config.EMAIL_HASH_SECRET, text);
  return {
    ...row,
    email,
    domain,
    ip,
    email_hash: hash(email),
    mailbox_hash: mailbox === email ? null : hash(mailbox),
    verdict: { ...row.verdict, decision, mx, factors: codes.map((code) => ({ code, points: 1 })) },
  };
}

const found = async ({ call }: Customer, query: string) => {
  const { status, body } = await call('GET', `${LOGS}?${query}`);
  return status === 200 ? body.logs.map(({ email }: { email: string }) => email).sort() : status;
};

/** Second looks at a check, from its decision to the last one. */
async function revise({ accountId }: Customer, email: string, decisions: readonly string[]) {
  for (const [n, to] of decisions.slice(1).entries()) {
    await db.$executeRaw`
      WITH look AS (
        INSERT INTO second_looks (id, changed_at, release, base, status, names, from_at, to_at, cursor_at)
        VALUES (new_id('lok'), ${`${email} ${n}`}, 'r2', 'r1', 'done', '{}', now(), now(), now()) RETURNING id
      )
      INSERT INTO revisions
        (id, look_id, account_id, key_id, checked_at, from_decision, to_decision, risk_score, codes, release)
      SELECT s.id, look.id, ${accountId}, ${KEY}, s.created_at, ${decisions[n]}, ${to}, 90, '{}', 'r2'
      FROM look, check_subjects s WHERE s.account_id = ${accountId} AND s.email = ${email}`;
  }
}

async function regroup() {
  for (const { hour, account_id } of await ungroupedHours(db, { daysMax: 2, countMax: 1_000 }))
    await regroupHour(db, hour, [account_id]);
}

t.test('filters find checks by what an attack has in common', async (t) => {
  const owner = await plane.customer();
  await persistChecks(db, [
    checkOf(owner, 'maria.keller@trashmail.test', {
      ip: '5.9.12.7',
      codes: ['DISPOSABLE_DOMAIN'],
      decision: 'block',
    }),
    checkOf(owner, 'Maria+1@shop.test', { ip: '5.9.120.7', codes: ['PLUS_TAG'] }),
    checkOf(owner, 'info@trash.test', { ip: '2a01:4f8:c0c::1', mx: 'example.net mx1.example.net' }),
    checkOf(owner, 'vip@shop.test', { ip: '2a01:4f8:c0d::1', codes: ['ACCOUNT_ALLOW', 'PLUS_TAG'] }),
  ]);
  await storeOrigins(db, [
    { network: '5.9.12.0/24', country: 'DE', asn: 24940 },
    { network: '2a01:4f8:c0c::/48', country: 'FI', asn: 24940 },
  ]);
  await revise(owner, 'info@trash.test', ['allow', 'block']);
  await revise(owner, 'vip@shop.test', ['allow', 'block', 'allow']);
  const expected: Readonly<Record<string, readonly string[]>> = {
    'begins=maria': ['Maria+1@shop.test', 'maria.keller@trashmail.test'],
    'begins=MARIA.k': ['maria.keller@trashmail.test'],
    'begins=maria.keller@trash': ['maria.keller@trashmail.test'],
    'begins=trash': ['info@trash.test', 'maria.keller@trashmail.test'],
    'begins=@trash.': ['info@trash.test'],
    'begins=nobody': [],
    'network=5.9.12.0/24': ['maria.keller@trashmail.test'],
    'network=5.9.0.0/17': ['Maria+1@shop.test', 'maria.keller@trashmail.test'],
    'network=5.9.12.7': ['maria.keller@trashmail.test'],
    'network=2a01:4f8:c0c::/48': ['info@trash.test'],
    'network=2a01:4f8::/32': ['info@trash.test', 'vip@shop.test'],
    'asn=AS24940': ['info@trash.test', 'maria.keller@trashmail.test'],
    'country=FI': ['info@trash.test'],
    'reason=PLUS_TAG': ['Maria+1@shop.test', 'vip@shop.test'],
    'reason=PLUS_TAG,DISPOSABLE_DOMAIN': [
      'Maria+1@shop.test',
      'maria.keller@trashmail.test',
      'vip@shop.test',
    ],
    'list=allow': ['vip@shop.test'],
    'list=block': [],
    'revised=true': ['info@trash.test'],
    'revised=true&list=allow': [],
    'mail_host=example.net': ['info@trash.test'],
    'shape=abc.test': [
      'Maria+1@shop.test',
      'info@trash.test',
      'maria.keller@trashmail.test',
      'vip@shop.test',
    ],
    'shape=Shop.test&list=allow': ['vip@shop.test'],
    'shape=abc123.test': [],
    'begins=maria&network=5.9.12.0/24&reason=DISPOSABLE_DOMAIN': ['maria.keller@trashmail.test'],
  };
  for (const [query, emails] of Object.entries(expected)) {
    t.strictSame(await found(owner, query.replaceAll('+', '%2B')), emails, query);
    const { text } = await owner.call('GET', `/api/v1/dashboard/logs.csv?${query}`);
    t.equal(text.trim().split('\r\n').length, emails.length + 1, `${query} as CSV`);
  }
  await regroup();
  t.strictSame(
    await found(owner, 'begins=trash'),
    expected['begins=trash'],
    'and when its domains are grouped',
  );
  for (const query of [
    'network=5.9.12',
    'network=5.9.12.0/33',
    'begins=a%20b',
    'country=Germany',
    'list=maybe',
    'revised=false',
    'shape=abc',
  ])
    t.equal(await found(owner, query), 400, query);
  t.strictSame(await found(await plane.customer(), 'begins=maria'), [], 'nobody else finds them');
});

/** Sizes of the 35 mailboxes that 60 checks share. */
const MAILBOXES = [...Array(25).fill(2), ...Array(10).fill(1)];

t.test(
  'of an hour the most frequent values are kept, fewer of those seen once, and it says so',
  async (t) => {
    const [busy, single, small] = [await plane.customer(), await plane.customer(), await plane.customer()];
    const people = (owner: Customer, count: number, domain: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => checkOf(owner, `p${n}@${domain(n)}`));
    await persistChecks(
      db,
      people(busy, 4_200, (n) => `d${n % 2_100}.test`),
    );
    const maria = Array.from({ length: 3 }, () => checkOf(single, 'maria@one.test'));
    await persistChecks(db, [...people(single, 1_100, () => 'one.test'), ...maria]);
    await persistChecks(
      db,
      people(small, 750, () => 'one.test'),
    );
    await regroup();
    const kept = ({ accountId }: Customer, kind: string) =>
      db.checkGroup.count({ where: { accountId, kind } });
    t.equal(await kept(busy, 'domain'), 2_000, 'seen twice');
    t.equal(await kept(busy, 'mailbox'), 750, 'seen once');
    t.equal(await kept(single, 'mailbox'), 750);
    t.equal(await db.checkGroup.count({ where: { accountId: single.accountId, allow: 3 } }), 1, 'maria');
    t.equal(await kept(small, 'mailbox'), 750);
    const cut = async ({ accountId }: Customer) =>
      (await db.checkGroupHour.findMany({ where: { accountId } })).map((hour) => hour.cut);
    t.match(await cut(busy), [true]);
    t.match(await cut(single), [true]);
    t.match(await cut(small), [false], 'all of them');
  },
);

t.test('groups count what a plain count would, from checks and from hours alike', async (t) => {
  const owner = await plane.customer();
  const decisions = ['allow', 'challenge', 'block'];
  const checks = Array.from({ length: 60 }, (_, n) =>
    checkOf(owner, `p${n % 7}+${n}@d${n % 5}.test`, {
      ip: `198.51.${n % 3}.${n}`,
      decision: decisions[n % decisions.length] ?? 'allow',
      codes: n % 2 === 0 ? ['PLUS_TAG', 'ALIAS_BURST'] : ['PLUS_TAG'],
      mx: n % 4 === 0 ? 'mx.test a.mx.test' : '',
    }),
  );
  await persistChecks(db, checks);
  await storeOrigins(db, [{ network: '198.51.1.0/24', country: 'DE', asn: 64500 }]);
  const sum = ({ allow = 0, challenge = 0, review = 0, block = 0 }) => allow + challenge + review + block;
  const sizes = async (by: string, query = '') => {
    const { body } = await owner.call('GET', `${GROUPS}?by=${by}${query}`);
    t.match(body, { success: true, exact: true, since: null });
    return body.groups.map(sum);
  };
  t.strictSame(await sizes('domain'), [12, 12, 12, 12, 12]);
  t.strictSame(await sizes('shape'), [60]);
  t.strictSame(await sizes('mail_host'), [15]);
  t.strictSame(await sizes('network'), [20, 20, 20]);
  t.strictSame(await sizes('as'), [20]);
  t.strictSame(await sizes('mailbox'), MAILBOXES, 'spellings are one mailbox');
  t.strictSame(await sizes('reason'), [60, 30]);
  t.strictSame(await sizes('rule'), []);
  t.strictSame(await sizes('domain', '&network=198.51.1.0/24&decision=challenge'), [4, 4, 4, 4, 4]);
  const { body: hours } = await owner.call(
    'GET',
    `${GROUPS}?by=hour&from=${new Date(Date.now() - 3_600_000).toISOString()}`,
  );
  t.equal(
    hours.groups.reduce((all: number, group: object) => all + sum(group), 0),
    60,
  );
  t.match(hours.total, { allow: 20, challenge: 20, review: 0, block: 20 });
  const { body: mailboxes } = await owner.call('GET', `${GROUPS}?by=mailbox`);
  for (const { value } of mailboxes.groups)
    t.ok(
      checks.some(({ id }) => id === value),
      'a mailbox is named by one of its checks, never by its hash',
    );
  t.equal((await owner.call('GET', `${GROUPS}?by=colour`)).status, 400);
  t.equal((await owner.call('GET', GROUPS)).status, 400);

  await regroup();
  await persistChecks(db, [checkOf(owner, 'late@d0.test')]);
  await regroup();
  await regroup();
  const stored = await db.checkGroup.groupBy({
    by: ['kind', 'value'],
    where: { accountId: owner.accountId },
    _sum: { allow: true, challenge: true, review: true, block: true },
  });
  const ofKind = (kind: string) =>
    stored
      .flatMap((row) => (row.kind === kind ? [sum(row._sum as Record<string, number>)] : []))
      .sort((a, b) => b - a);
  t.strictSame(ofKind('domain'), [13, 12, 12, 12, 12], 'grouping again counts nothing twice');
  t.strictSame(ofKind('shape'), [61]);
  t.strictSame(ofKind('mailbox'), [...MAILBOXES, 1]);
  t.strictSame(ofKind('network'), [20, 20, 20, 1]);
  t.strictSame(ofKind('as'), [20]);
  t.strictSame(ofKind('reason'), [60, 30]);
});
