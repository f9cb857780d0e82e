import { randomFillSync } from 'node:crypto';
import { ensurePartitions } from '@verdict/db/checks/partitions.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { createIdFactory } from '@verdict/domain/id.js';
import t from 'tap';
import { type Customer, startControlPlane } from './support/control-plane.js';
import { startScoringReplica } from './support/scoring-replica.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const createId = createIdFactory(Date.now, randomFillSync);

const NETWORK = { kind: 'vpn', country: 'NL', asn: 64500, organisation: 'Example B.V.' };

/** One verdict for every address. */
const { url, asked } = await startScoringReplica(
  t,
  () => ({
    decision: 'block',
    risk_score: 85,
    signals: { disposable_email: true, mx_valid: false, free_provider: false },
    factors: [{ code: 'DISPOSABLE_DOMAIN', points: 85, reason: 'The domain is disposable' }],
    evidence: [
      {
        list: 'disposable',
        entry: 'shop.example',
        source: 'hand-lists',
        tier: null,
        since: '2026-10-01',
        or_earlier: false,
      },
    ],
  }),
  NETWORK,
);
const plane = await startControlPlane(t, stores, { SCORING_URLS: `http://127.0.0.1:9,${url}` });

/** The key of the stored checks. */
const KEY = 'key_01K00000000000000000000000';

interface Logged {
  readonly email: string | null;
  readonly domain?: string;
  readonly ip?: string;
  readonly decision?: string;
  readonly mode?: 'live' | 'test';
  readonly at?: Date;
}

/** As the worker stores them. */
function hashesOf(email: string | null) {
  const parsed = parseEmail(email ?? '');
  if (!parsed.ok) return { emailHash: 'h' };
  const { canonical } = parsed.address;
  const [emailHash, mailboxHash] = [canonical, mailboxOf(parsed.address, true)].map((each) =>
    hashEmail(plane.deps.config.EMAIL_HASH_SECRET, each),
  );
  return {
    emailHash: emailHash ?? '',
    mailboxHash: mailboxHash === emailHash ? null : (mailboxHash ?? null),
  };
}

async function log(
  { accountId }: Customer,
  { email, domain, ip, decision = 'allow', mode = 'live', at = new Date() }: Logged,
) {
  const id = createId('log');
  await stores.db.$executeRaw`SELECT ensure_check_partitions(${at}::date)`;
  const row = {
    id,
    accountId,
    keyId: KEY,
    decision,
    riskScore: 5,
    signals: { disposable_email: false, mx_valid: true, free_provider: false },
    factors: [{ code: 'ROLE_ACCOUNT', points: 5 }],
    datasets: '2026-10-01/2026-10-02/2026-10-03',
    requestId: createId('req'),
    createdAt: at,
  };
  if (mode === 'test') await stores.db.testCheckLog.create({ data: row });
  else await stores.db.checkLog.create({ data: row });
  await stores.db.checkSubject.create({
    data: {
      id,
      accountId,
      email,
      domain: domain ?? email?.split('@')[1] ?? 'gone.example',
      ...hashesOf(email),
      ip: ip ?? null,
      reasons: ['The mailbox is a role'],
      createdAt: at,
    },
  });
  return id;
}

t.test('evidence tells what was stored with a check and how it would be judged today', async (t) => {
  const customer = await plane.customer();
  await customer.call('POST', '/api/v1/lists/block/', { value: 'shop.example' });
  const id = await log(customer, { email: 'info@mail.shop.example', ip: '192.0.2.4' });
  const { body, status } = await customer.call('GET', `/api/v1/dashboard/logs/${id}/evidence/`);
  t.equal(status, 200);
  t.same(body.stored, {
    datasets: { disposable_domains: '2026-10-01', free_providers: '2026-10-02', role_prefixes: '2026-10-03' },
    factors: [{ code: 'ROLE_ACCOUNT', points: 5, reason: 'The mailbox is a role' }],
  });
  t.match(body.recomputed, {
    risk_score: 100,
    decision: 'block',
    datasets: { disposable_domains: '2026-11-01' },
    policy: null,
    considered: ['lists', 'policy', 'bursts', 'ip'],
  });
  t.ok(body.recomputed.factors.some(({ code }: { code: string }) => code === 'ACCOUNT_BLOCK'));
  t.match(body.own_entries, [{ list: 'block', kind: 'domain', value: 'shop.example' }]);
  t.match(body.listings, [{ entry: 'shop.example', source: 'hand-lists', since: '2026-10-01' }]);
  t.equal(body.can_recompute, true);
  const { ip_kind: kind, ip_country: country, ip_asn: asn, ip_organisation: organisation } = body;
  t.same({ kind, country, asn, organisation }, NETWORK);
  t.ok(asked.includes('info@mail.shop.example'));
});

t.test('an address that is gone or masked is not judged again', async (t) => {
  const customer = await plane.customer();
  const before = asked.length;
  for (const email of [null, 'i***@shop.example']) {
    const id = await log(customer, { email });
    const { body } = await customer.call('GET', `/api/v1/dashboard/logs/${id}/evidence/`);
    t.match(body, { recomputed: null, can_recompute: false, listings: [], ip_kind: null });
    t.equal(body.stored.factors.length, 1);
  }
  t.equal(asked.length, before);
});

t.test('evidence names no network while the account has IP intelligence off', async (t) => {
  const customer = await plane.customer();
  await customer.call('PATCH', '/api/v1/dashboard/settings/', { ip_intelligence: false });
  const id = await log(customer, { email: 'info@shop.example', ip: '192.0.2.4' });
  const { body } = await customer.call('GET', `/api/v1/dashboard/logs/${id}/evidence/`);
  t.match(body, { ip_kind: null, ip_country: null, ip_asn: null, ip_organisation: null });
});

t.test('without scoring the stored evidence is still told', async (t) => {
  const alone = await startControlPlane(t, stores);
  const customer = await alone.customer();
  const id = await log(customer, { email: 'info@shop.example' });
  const { body, status } = await customer.call('GET', `/api/v1/dashboard/logs/${id}/evidence/`);
  t.equal(status, 200);
  t.equal(body.recomputed, null);
});

t.test(
  'an entry’s impact is counted in every spelling, within thirty days and the own account',
  async (t) => {
    const customer = await plane.customer();
    const stranger = await plane.customer();
    const old = new Date(Date.now() - 31 * 86_400_000);
    await log(customer, { email: 'Jane@bücher.example', decision: 'allow' });
    await log(customer, { email: 'jane@xn--bcher-kva.example', decision: 'block' });
    await log(customer, { email: 'joe@mail.bücher.example', decision: 'review', ip: '2001:DB8::1' });
    await log(customer, { email: 'jane@bücher.example', at: old });
    await log(customer, { email: 'jane@notbücher.example' });
    await log(stranger, { email: 'jane@bücher.example' });
    const impact = async (list: string, value: string) =>
      (
        await customer.call(
          'GET',
          `/api/v1/lists/${list}/impact/?value=${encodeURIComponent(value).replace('%26match%3D', '&match=')}`,
        )
      ).body;

    const address = await impact('allow', 'JANE@bücher.example');
    t.match(address, {
      kind: 'address',
      checks: 2,
      changed: 1,
      by_decision: { allow: 1, block: 1 },
      standing: null,
    });
    const domain = await impact('block', 'xn--bcher-kva.example');
    t.match(domain, {
      kind: 'domain',
      checks: 3,
      changed: 2,
      by_decision: { allow: 1, block: 1, review: 1 },
    });
    for (const ip of ['2001:db8::1', '2001:DB8::1', '2001:db8:0::1']) {
      t.match(await impact('block', ip), { kind: 'ip', checks: 1, changed: 1 }, ip);
    }
    t.match(await impact('block', '2001:db8::/32'), { kind: 'network', checks: 1, changed: 1 });
    t.match(await impact('block', '2001:db9::/32'), { checks: 0 });
    t.match(await impact('allow', 'nobody.example'), { checks: 0, changed: 0 });
    for (const email of ['b.ob@gmail.com', 'Bob+x@googlemail.com', 'bobby@gmail.com', 'bob@gmail.com'])
      await log(customer, { email, decision: 'allow', ip: '::ffff:198.51.100.7' });
    t.match(await impact('block', 'bob@gmail.com&match=mailbox'), {
      match: 'mailbox',
      mailbox: 'bob@gmail.com',
      checks: 3,
      changed: 3,
    });
    for (const email of ['news@jane.fastmail.com', 'jane+x@fastmail.com', 'jane@fastmail.com'])
      await log(customer, { email });
    t.match(await impact('block', 'jane@fastmail.com&match=mailbox'), { checks: 3 });
    t.match(await impact('block', 'bob@gmail.com'), { match: 'exact', mailbox: 'bob@gmail.com', checks: 1 });
    t.match(await impact('block', '198.51.100.0/24'), { checks: 4 });
    await customer.call('POST', '/api/v1/lists/block/', { value: 'bücher.example' });
    t.equal((await impact('allow', 'bücher.example')).standing, 'block');
    t.equal((await customer.call('GET', '/api/v1/lists/allow/impact/?value=%20')).status, 400);
    t.equal((await customer.call('GET', '/api/v1/lists/allow/impact/')).status, 400);
  },
);

t.test('an entry’s impact leaves out checks that a more specific entry decides', async (t) => {
  const customer = await plane.customer();
  const impact = async (list: string, value: string) =>
    (await customer.call('GET', `/api/v1/lists/${list}/impact/?value=${encodeURIComponent(value)}`)).body;
  const ip = '198.51.100.7';
  for (const email of ['ann@shop.example', 'b@mail.shop.example', 'c@shop.example'])
    await log(customer, { email, ip });
  await log(customer, { email: 'b.ob+1@googlemail.com', ip: `::ffff:${ip}` });
  await log(customer, { email: 'd@other.example', ip: '198.51.100.8' });
  const everything = async () => ({
    domain: (await impact('block', 'shop.example')).checks,
    google: (await impact('block', 'googlemail.com')).checks,
    ip: (await impact('block', ip)).checks,
    network: (await impact('block', '198.51.100.0/24')).checks,
  });
  t.strictSame(await everything(), { domain: 3, google: 1, ip: 4, network: 5 });
  await customer.call('POST', '/api/v1/lists/block/', { value: '198.51.0.0/20' });
  t.strictSame(await everything(), { domain: 3, google: 1, ip: 4, network: 5 }, 'a wider network');
  const steps: [object, object][] = [
    [{ value: 'ANN@shop.example' }, { domain: 2, google: 1, ip: 3, network: 4 }],
    [{ value: 'mail.shop.example' }, { domain: 1, google: 1, ip: 2, network: 3 }],
    [
      { value: 'bob@gmail.com', match: 'mailbox' },
      { domain: 1, google: 0, ip: 1, network: 2 },
    ],
    [{ value: '198.51.100.8' }, { domain: 1, google: 0, ip: 1, network: 1 }],
    [{ value: '198.51.100.0/29' }, { domain: 1, google: 0, ip: 1, network: 0 }],
    [{ value: '198.51.0.0/16' }, { domain: 1, google: 0, ip: 1, network: 0 }],
  ];
  for (const [entry, left] of steps) {
    t.equal((await customer.call('POST', '/api/v1/lists/allow/', entry)).status, 201);
    t.strictSame(await everything(), left, JSON.stringify(entry));
  }
  t.match(await impact('block', 'c@shop.example'), { checks: 1, changed: 1, considered: ['lists'] });
});

t.test(
  'now is the answer that the check would get: lists before rules, rules before the score',
  async (t) => {
    const customer = await plane.customer();
    const id = await log(customer, { email: 'maria.keller@trashmail.example', decision: 'block' });
    const now = async () => {
      const { body } = await customer.call('GET', `/api/v1/dashboard/logs/${id}/evidence/`);
      const { decision, risk_score, policy, considered } = body.recomputed;
      return { decision, risk_score, policy, considered };
    };
    const considered = ['lists', 'policy', 'bursts'];
    t.strictSame(await now(), { decision: 'block', risk_score: 85, policy: null, considered });
    const rules = [
      {
        name: 'Second look',
        when: { all: [{ field: 'key', op: 'eq', value: KEY }] },
        then: { exactly: 'challenge' },
      },
    ];
    await customer.call('POST', '/api/v1/policies/', { rules });
    await customer.call('PUT', '/api/v1/policies/live/', { version: 1 });
    const ruled = { decision: 'challenge', risk_score: 54, policy: { version: 1, rule: 'Second look' } };
    t.strictSame(
      await now(),
      { ...ruled, considered },
      'a live rule decides, also one about the key of the check',
    );
    await customer.call('POST', '/api/v1/lists/allow/', { value: 'maria.keller@trashmail.example' });
    const listed = { decision: 'allow', risk_score: 0, policy: { version: 1, rule: null } };
    t.strictSame(await now(), { ...listed, considered }, 'an entry comes before it');
    await customer.call('PATCH', '/api/v1/dashboard/settings/', { bursts: false });
    t.strictSame((await now()).considered, ['lists', 'policy'], 'what is switched off is not named');
  },
);

t.test('now is the fixed answer for a test address that a test key sent, and scored otherwise', async (t) => {
  const customer = await plane.customer();
  const now = async (mode: 'live' | 'test') => {
    const id = await log(customer, { email: 'review@test.verdict.example', mode });
    const { body } = await customer.call('GET', `/api/v1/dashboard/logs/${id}/evidence/`);
    return { ...body.recomputed, listings: body.listings };
  };
  t.match(await now('test'), {
    decision: 'review',
    risk_score: 65,
    factors: [{ code: 'TEST_ADDRESS', points: 65 }],
    considered: ['lists', 'policy'],
    listings: [],
  });
  t.match(await now('live'), { decision: 'block', risk_score: 85 });
  await customer.call('POST', '/api/v1/lists/allow/', { value: 'test.verdict.example' });
  t.match(await now('test'), { decision: 'allow', risk_score: 0 }, 'lists come before it, as in its check');
});

t.test('logs find every spelling of a mailbox, also by a check whose address is not stored', async (t) => {
  const customer = await plane.customer();
  const stranger = await plane.customer();
  const found = async (mailbox: string, { call }: Customer = customer) =>
    (await call('GET', `/api/v1/dashboard/logs/?mailbox=${encodeURIComponent(mailbox)}`)).body.logs?.map(
      ({ id }: { id: string }) => id,
    );
  const spellings = ['bob@gmail.com', 'B.ob@googlemail.com', 'bob+x@gmail.com'];
  const ids: string[] = [];
  for (const email of spellings) ids.unshift(await log(customer, { email }));
  await log(customer, { email: 'bobby@gmail.com' });
  await log(stranger, { email: 'bob@gmail.com' });
  // As EMAIL_STORAGE=masked and hashed leave it.
  await stores.db.checkSubject.updateMany({ where: { id: ids[0] ?? '' }, data: { email: 'b***@gmail.com' } });
  await stores.db.checkSubject.updateMany({ where: { id: ids[1] ?? '' }, data: { email: null } });
  for (const named of [...spellings, ...ids]) t.same(await found(named), ids, named);
  t.same(await found(ids[0] ?? '', stranger), [], 'another account’s check names nobody');
  t.same(await found(createId('log')), []);
  for (const wrong of ['gmail.com', 'log_1', '', createId('req')])
    t.equal(await found(wrong), undefined, wrong);
  const { text } = await customer.call('GET', '/api/v1/dashboard/logs.csv?mailbox=bob%40gmail.com');
  t.equal(text.trim().split('\n').length, 1 + ids.length);
});

t.test('logs of an international domain are found by either spelling', async (t) => {
  const customer = await plane.customer();
  await log(customer, { email: 'jürgen@bücher.example' });
  await log(customer, { email: 'jürgen@xn--bcher-kva.example' });
  const found = async (query: string) =>
    (await customer.call('GET', `/api/v1/dashboard/logs/?${query}`)).body.logs.length;
  for (const domain of ['bücher.example', 'xn--bcher-kva.example']) {
    t.equal(await found(`domain=${encodeURIComponent(domain)}`), 2, domain);
    t.equal(await found(`email=${encodeURIComponent(`jürgen@${domain}`)}`), 2, domain);
  }
});

t.test('the checks of a request are found by its id', async (t) => {
  const customer = await plane.customer();
  await log(customer, { email: 'one@example.org' });
  await log(customer, { email: 'two@example.org' });
  const ask = (query: string) => customer.call('GET', `/api/v1/dashboard/logs/${query}`);
  const [first, second] = (await ask('')).body.logs;
  const { request_id } = (await ask(`${second.id}/`)).body.log;
  t.strictSame(
    (await ask(`?request_id=${request_id}`)).body.logs.map(({ id }: { id: string }) => id),
    [second.id],
  );
  t.not(first.id, second.id);
  t.equal((await ask('?request_id=req_7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).body.logs.length, 0, 'of the year 10889');
  t.equal((await ask('?request_id=mine')).status, 400);
});

t.test('usage is summed by month too, of one decision when asked, and leaves as CSV', async (t) => {
  const customer = await plane.customer();
  const { accountId } = customer;
  await ensurePartitions(stores.db, ['2026-09', '2026-10']);
  for (const [at, decision, checks] of [
    ['2026-09-30T23:00:00Z', 'allow', 2n],
    ['2026-10-01T00:00:00Z', 'allow', 3n],
    ['2026-10-15T12:00:00Z', 'block', 4n],
  ] as const) {
    await stores.db.usageHourly.create({
      data: { accountId, keyId: 'key_x', hour: new Date(at), decision, checks },
    });
  }
  const range = 'from=2026-09-01&to=2026-10-31';
  const { body } = await customer.call('GET', `/api/v1/dashboard/usage/?by=month&${range}`);
  t.match(body, { by: 'month', total: 9, by_decision: { allow: 5, block: 4 } });
  t.match(body.rows, [
    { at: '2026-09-01T00:00:00+00:00', checks: 2 },
    { at: '2026-10-01T00:00:00+00:00', decision: 'allow', checks: 3 },
    { at: '2026-10-01T00:00:00+00:00', decision: 'block', checks: 4 },
  ]);
  const blocked = await customer.call('GET', `/api/v1/dashboard/usage/?by=month&decision=block&${range}`);
  t.equal(blocked.body.total, 4);
  const csv = await customer.call('GET', `/api/v1/dashboard/usage.csv?by=month&${range}`);
  t.match(csv.headers['content-disposition'], /usage-2026-09-01-2026-10-31\.csv/);
  t.same(csv.text.trim().split('\r\n'), [
    'at,key_id,decision,checks',
    '2026-09-01T00:00:00+00:00,key_x,allow,2',
    '2026-10-01T00:00:00+00:00,key_x,allow,3',
    '2026-10-01T00:00:00+00:00,key_x,block,4',
  ]);
});

t.test('a page of logs may name its checks, and finds none of another account', async (t) => {
  const customer = await plane.customer();
  const ids = [];
  for (const email of ['a@one.example', 'b@two.example', 'c@three.example'])
    ids.push(await log(customer, { email }));
  const other = await log(await plane.customer(), { email: 'd@four.example' });
  const find = (named: readonly string[]) =>
    customer.call('GET', `/api/v1/dashboard/logs/?ids=${named.join(',')}`);
  const found = await find([ids[0] ?? '', ids[2] ?? '', other]);
  t.same(found.body.logs.map(({ id }: { id: string }) => id).sort(), [ids[0], ids[2]].sort());
  t.equal((await find(Array.from({ length: 50 }, () => createId('log')))).status, 200);
  for (const refused of [Array.from({ length: 51 }, () => createId('log')), ['log_1'], [createId('req')]])
    t.equal((await find(refused)).status, 400);
});
