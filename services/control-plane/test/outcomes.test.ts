import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SOURCES_PATH, type SourcesRequest } from '@verdict/contracts/scoring-api.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { eraseSubjects } from '@verdict/db/erasure/erase-subject.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import t from 'tap';
import { createId, rowOf } from './support/check-rows.js';
import { type Customer, callerOf, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);

/** Public lists by the domains that they have. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'a-list': ['both.example', 'first.example'],
  'b-list': ['both.example'],
};
const scoring = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    if (request.url !== SOURCES_PATH) return response.writeHead(404).end();
    const { domains }: SourcesRequest = JSON.parse(body);
    const sources = domains.map((domain) =>
      Object.keys(LISTS).filter((name) => LISTS[name]?.includes(domain)),
    );
    return response.setHeader('content-type', 'application/json').end(JSON.stringify({ sources }));
  });
});
await new Promise<void>((resolve) => scoring.listen(0, '127.0.0.1', resolve));
t.teardown(() => scoring.close());
const SCORING_URLS = `http://127.0.0.1:${(scoring.address() as AddressInfo).port}`;
const plane = await startControlPlane(t, stores, { SCORING_URLS });
const { db } = stores;
const OUTCOMES = '/api/v1/outcomes/';
const hashOf = (email: string) => hashEmail(plane.deps.config.EMAIL_HASH_SECRET, email);

async function newKey(owner: Customer, terms: object = {}) {
  const { key, api_key } = (
    await owner.call('POST', '/api/v1/dashboard/keys/', { name: createId('key'), ...terms })
  ).body;
  return { id: key.id as string, call: callerOf(plane.app, { 'x-api-key': api_key }) };
}

const checkOf = (accountId: string, keyId: string, email: string) => ({
  ...rowOf(accountId, keyId),
  email,
  domain: email.slice(email.indexOf('@') + 1),
  email_hash: hashOf(email),
});

const outcomeOf = async ({ call }: Customer, id: string) =>
  (await call('GET', `/api/v1/dashboard/logs/${id}/`)).body.log;

t.test('a label before, with or after its check is stored ends as one outcome', async (t) => {
  const owner = await plane.customer();
  const key = await newKey(owner, { scopes: ['outcomes'] });
  const [early, late] = [0, 1].map((n) => checkOf(owner.accountId, key.id, `p${n}@example.org`));
  if (!early || !late) throw new Error('two checks');
  const say = (outcome: string) =>
    key.call('POST', OUTCOMES, {
      items: [early, late].map(({ id }) => ({ id, outcome, note: 'charge back' })),
    });
  await persistChecks(db, [late]);
  t.match(await say('abuse'), { status: 200, body: { recorded: 2, unchanged: 0, errors: [] } });
  await persistChecks(db, [early]);
  t.match((await say('abuse')).body, { recorded: 0, unchanged: 2 }, 'saying it again changes nothing');
  for (const { id } of [early, late]) {
    t.match(await outcomeOf(owner, id), {
      outcome: 'abuse',
      outcomes: [{ outcome: 'abuse', about: 'check', note: 'charge back', by: key.id }],
    });
  }
  t.equal(await db.outcome.count({ where: { accountId: owner.accountId } }), 2);
});

t.test('a day takes as many outcomes as the plan has checks a month', async (t) => {
  const [owner, other] = [await plane.customer(), await plane.customer()];
  const items = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ email: `p${i}@many.example`, outcome: 'abuse' }));
  t.match(await owner.call('POST', OUTCOMES, { items: items(999) }), { status: 200 });
  t.match(await owner.call('POST', OUTCOMES, { items: items(3) }), { status: 200 }, 'the last may pass it');
  const refused = await owner.call('POST', OUTCOMES, { items: items(1) });
  t.match(refused, { status: 429, body: { code: 'too_many_requests', error: /1000 outcomes a day/ } });
  t.ok(Number(refused.headers['retry-after']) > 86_000);
  t.equal((await other.call('POST', OUTCOMES, { items: items(1) })).status, 200);
});

t.test('the last word wins in any order, and the words before it are kept, twenty at most', async (t) => {
  const owner = await plane.customer();
  const { id: keyId } = await newKey(owner);
  const check = checkOf(owner.accountId, keyId, 'jane@example.org');
  await persistChecks(db, [check]);
  for (let n = 0; n < 25; n++) {
    const outcome = n % 2 === 0 ? 'abuse' : 'bounced';
    await owner.call('POST', OUTCOMES, {
      items: [
        { id: check.id, outcome: 'genuine' },
        { id: check.id, outcome },
      ],
    });
  }
  await owner.call('POST', OUTCOMES, { items: [{ id: check.id, outcome: 'genuine' }] });
  const { outcome, outcomes } = await outcomeOf(owner, check.id);
  t.equal(outcome, 'genuine');
  t.equal(outcomes.length, 21, 'the last word and twenty before it');
  t.match(outcomes.slice(0, 3), [{ outcome: 'genuine' }, { outcome: 'abuse' }, { outcome: 'bounced' }]);
});

t.test('an address labels its checks that have no outcome of their own', async (t) => {
  const owner = await plane.customer();
  const { id: keyId } = await newKey(owner);
  const checks = [1, 2].map(() => checkOf(owner.accountId, keyId, 'max@example.org'));
  const other = checkOf(owner.accountId, keyId, 'eve@example.org');
  await persistChecks(db, [...checks, other]);
  const [one, two] = checks;
  const items = [
    { email: 'MAX@example.org', outcome: 'complained' },
    { id: one?.id, outcome: 'genuine' },
  ];
  t.match((await owner.call('POST', OUTCOMES, { items })).body, { recorded: 2 });
  const logs = async (outcome: string) =>
    (await owner.call('GET', `/api/v1/dashboard/logs/?outcome=${outcome}`)).body.logs.map(
      ({ id }: { id: string }) => id,
    );
  t.strictSame(await logs('genuine'), [one?.id]);
  t.strictSame(await logs('complained'), [two?.id]);
  t.strictSame((await logs('genuine,complained')).sort(), [one?.id, two?.id].sort());
  t.strictSame(await logs('none'), [other.id]);
  const [names = [], row = []] = (
    await owner.call('GET', '/api/v1/dashboard/logs.csv?outcome=complained')
  ).text
    .trim()
    .split('\r\n')
    .map((line: string) => line.split(','));
  t.equal(row[names.indexOf('outcome')], 'complained');
  t.equal((await owner.call('GET', '/api/v1/dashboard/logs/?outcome=maybe')).status, 400);
});

t.test('items that name nothing are refused by their position, and the others are taken', async (t) => {
  const { call } = await plane.customer();
  const items = [
    { id: createId('log'), outcome: 'abuse' },
    { id: createId('key'), outcome: 'abuse' },
    { email: 'no address', outcome: 'abuse' },
    { outcome: 'abuse' },
    { id: createId('log'), email: 'a@example.org', outcome: 'abuse' },
  ];
  const { body } = await call('POST', OUTCOMES, { items });
  t.match(body, { recorded: 1, unchanged: 0 });
  t.strictSame(
    body.errors.map(({ item }: { item: number }) => item),
    [2, 3, 4, 5],
  );
  for (const wrong of [
    { items: [] },
    { items: [{ id: createId('log'), outcome: 'maybe' }] },
    { items: Array.from({ length: 1001 }, () => items[0]) },
  ]) {
    t.equal((await call('POST', OUTCOMES, wrong)).status, 400);
  }
});

t.test('an account learns nothing of the checks of another one and changes none', async (t) => {
  const [owner, stranger] = [await plane.customer(), await plane.customer()];
  const { id: keyId } = await newKey(owner);
  const check = checkOf(owner.accountId, keyId, 'ann@example.org');
  await persistChecks(db, [check]);
  const items = [
    { id: check.id, outcome: 'abuse', note: 'stranger' },
    { email: 'ann@example.org', outcome: 'abuse' },
  ];
  const foreign = await stranger.call('POST', OUTCOMES, { items });
  const unknown = await stranger.call('POST', OUTCOMES, {
    items: [{ ...items[0], id: createId('log') }, items[1]],
  });
  t.match(foreign.body, { recorded: 2, errors: [] });
  t.match(
    unknown.body,
    { recorded: 1, unchanged: 1, errors: [] },
    'a foreign id answers like an unknown one',
  );
  t.match(await outcomeOf(owner, check.id), { outcome: null, outcomes: [] });
  t.strictSame(
    (await stranger.call('GET', '/api/v1/dashboard/outcomes/precision/?by=decision')).body.groups,
    [],
  );
});

t.test('only a key with the scope labels', async (t) => {
  const owner = await plane.customer();
  const items = [{ id: createId('log'), outcome: 'abuse' }];
  for (const terms of [{}, { mode: 'test' }, { scopes: ['check', 'lists'] }]) {
    const { call } = await newKey(owner, terms);
    t.match(await call('POST', OUTCOMES, { items }), { status: 403, body: { code: 'scope_missing' } });
  }
});

t.test('a label changes no check, no count and no statement', async (t) => {
  const owner = await plane.customer();
  const { id: keyId } = await newKey(owner);
  const checks = Array.from({ length: 5 }, (_, n) => checkOf(owner.accountId, keyId, `c${n}@example.org`));
  await persistChecks(db, checks);
  const billed = async () => ({
    logs: await db.$queryRaw`SELECT md5(string_agg(l::text, ',' ORDER BY id)) AS sum FROM check_logs l
      WHERE account_id = ${owner.accountId}`,
    usage: await db.$queryRaw`SELECT key_id, hour::text, decision, checks::text FROM usage_hourly
      WHERE account_id = ${owner.accountId}`,
    adjusted: await db.usageAdjustment.count({ where: { accountId: owner.accountId } }),
    statements: await db.statement.count({ where: { accountId: owner.accountId } }),
    shown: (await owner.call('GET', '/api/v1/dashboard/usage/')).body,
  });
  const before = await billed();
  for (const outcome of ['abuse', 'genuine', 'bounced']) {
    await owner.call('POST', OUTCOMES, { items: checks.map(({ id }) => ({ id, outcome })) });
  }
  t.strictSame(await billed(), before);
});

t.test('precision counts each label once, and says nothing of fewer than thirty', async (t) => {
  const owner = await plane.customer();
  const { id: keyId } = await newKey(owner);
  const checks = Array.from({ length: 41 }, (_, n) => {
    const row = checkOf(owner.accountId, keyId, `p${n}@example.org`);
    const factors = [{ code: 'PLUS_TAG', points: 5 }, ...(n < 10 ? [{ code: 'RARE', points: 1 }] : [])];
    return { ...row, verdict: { ...row.verdict, decision: 'challenge' as const, factors } };
  });
  await persistChecks(db, checks);
  const again = checkOf(owner.accountId, keyId, 'p0@example.org');
  await persistChecks(db, [again]);
  await owner.call('POST', OUTCOMES, {
    items: [
      ...checks.slice(1).map(({ id }, n) => ({ id, outcome: n < 2 ? 'genuine' : 'abuse' })),
      { email: 'p0@example.org', outcome: 'abuse' },
    ],
  });
  const by = async (group: string) =>
    (await owner.call('GET', `/api/v1/dashboard/outcomes/precision/?by=${group}`)).body.groups;
  // 2 of 40, by solving the score test for both ends numerically.
  t.match(await by('code'), [
    {
      name: 'PLUS_TAG',
      labelled: 40,
      genuine: 2,
      abuse: 38,
      share_genuine: 0.05,
      low: 0.0138,
      high: 0.165,
      too_few: false,
    },
    { name: 'RARE', labelled: 9, share_genuine: null, low: null, high: null, too_few: true },
  ]);
  t.match(
    await by('decision'),
    [
      { name: 'challenge', labelled: 40 },
      { name: 'allow', labelled: 1, abuse: 1 },
    ],
    'an address counts by its newest check',
  );
  t.strictSame(await by('rule'), []);
  t.equal((await owner.call('GET', '/api/v1/dashboard/outcomes/precision/?by=mood')).status, 400);
});

t.test(
  'precision by source counts a labelled domain for each list that has it, and only listed checks',
  async (t) => {
    const owner = await plane.customer();
    const { id: keyId } = await newKey(owner);
    const listed = { disposable_email: true, mx_valid: true, free_provider: false };
    const checksAt = (domain: string, count: number, signals = listed) =>
      Array.from({ length: count }, (_, n) => {
        const row = checkOf(owner.accountId, keyId, `p${n}@${domain}`);
        return { ...row, verdict: { ...row.verdict, decision: 'block' as const, signals } };
      });
    const both = checksAt('both.example', 30);
    const first = checksAt('first.example', 10);
    const later = checksAt('first.example', 5, { ...listed, disposable_email: false });
    const off = checksAt('off.example', 3);
    await persistChecks(db, [...both, ...first, ...later, ...off]);
    const say = (outcome: string, checks: readonly { id: string }[]) =>
      owner.call('POST', OUTCOMES, { items: checks.map(({ id }) => ({ id, outcome })) });
    await say('abuse', [...both, ...later, ...off]);
    await say('genuine', first);
    const { body } = await owner.call('GET', '/api/v1/dashboard/outcomes/precision/?by=source');
    t.strictSame(body.groups, [
      {
        ...{ name: 'a-list', labelled: 40, genuine: 10, abuse: 30, bounced: 0, complained: 0 },
        ...{ share_genuine: 0.25, low: 0.1419, high: 0.4019, too_few: false },
      },
      {
        ...{ name: 'b-list', labelled: 30, genuine: 0, abuse: 30, bounced: 0, complained: 0 },
        ...{ share_genuine: 0, low: 0, high: 0.1135, too_few: false },
      },
    ]);
  },
);

t.test('labels of one check end as one in every order, whoever sends them', async (t) => {
  const owner = await plane.customer();
  const key = await newKey(owner, { scopes: ['outcomes'] });
  const orders = [
    ['store', 'key', 'user', 'address'],
    ['key', 'store', 'address', 'user'],
    ['address', 'user', 'key', 'store'],
    ['user', 'address', 'store', 'key'],
  ] as const;
  for (const [n, order] of orders.entries()) {
    const check = checkOf(owner.accountId, key.id, `order${n}@example.org`);
    const acts = {
      store: () => persistChecks(db, [check]),
      key: () => key.call('POST', OUTCOMES, { items: [{ id: check.id, outcome: 'bounced' }] }),
      user: () => owner.call('POST', OUTCOMES, { items: [{ id: check.id, outcome: 'abuse' }] }),
      address: () => owner.call('POST', OUTCOMES, { items: [{ email: check.email, outcome: 'genuine' }] }),
    };
    for (const act of order) await acts[act]();
    const last =
      order.filter((act) => act === 'key' || act === 'user').at(-1) === 'key' ? 'bounced' : 'abuse';
    t.equal((await outcomeOf(owner, check.id)).outcome, last, `${order}: the last word about the check`);
    const { body } = await owner.call('GET', `/api/v1/dashboard/outcomes/precision/?by=decision`);
    t.match(body.groups, [{ name: 'allow', labelled: n + 1 }], `${order}: one label`);
  }
});

t.test('abuse again and again proposes an entry, which only a person adds', async (t) => {
  const owner = await plane.customer();
  const { id: keyId } = await newKey(owner);
  const proposals = async () =>
    (await owner.call('GET', '/api/v1/dashboard/outcomes/proposals/')).body.proposals.map(
      ({ value, match, abuse }: { value: string; match: string; abuse: number }) =>
        `${match} ${value} ${abuse}`,
    );
  const label = async (outcome: string, checks: readonly { id: string }[]) =>
    owner.call('POST', OUTCOMES, { items: checks.map(({ id }) => ({ id, outcome })) });
  const mail = (operator: string) => ({ ...rowOf('', '').verdict, mx: `${operator} mx.${operator}` });
  const farm = [1, 2, 3].map((n) => ({
    ...checkOf(owner.accountId, keyId, `p${n}@farm-${n}.example`),
    verdict: mail('farm-mail.example'),
  }));
  const domain = [1, 2, 3].map((n) => checkOf(owner.accountId, keyId, `p${n}@fresh.example`));
  const mailbox = ['j.ane@gmail.com', 'jane+x@gmail.com'].map((email) => ({
    ...checkOf(owner.accountId, keyId, email),
    mailbox_hash: hashOf('jane@gmail.com'),
    verdict: {
      ...rowOf('', '').verdict,
      signals: { disposable_email: false, mx_valid: true, free_provider: true },
    },
  }));
  const mixed = [1, 2, 3, 4].map((n) => checkOf(owner.accountId, keyId, `p${n}@mixed.example`));
  await persistChecks(db, [...farm, ...domain, ...mailbox, ...mixed]);
  await label('abuse', [...farm.slice(1), ...domain.slice(1), ...mailbox.slice(1), ...mixed.slice(1)]);
  await label('genuine', mixed.slice(0, 1));
  t.strictSame(await proposals(), [], 'once at a mailbox and twice at a domain are not enough');
  await label('abuse', [farm[0], domain[0], mailbox[0]] as typeof farm);
  const expected = ['exact fresh.example 3', 'mailbox jane@gmail.com 2', 'mx farm-mail.example 3'];
  t.strictSame((await proposals()).sort(), expected);
  t.equal(await db.listEntry.count({ where: { accountId: owner.accountId } }), 0, 'proposals list nothing');
  await owner.call('POST', '/api/v1/lists/block/', { value: 'fresh.example' });
  t.strictSame((await proposals()).sort(), expected.slice(1), 'an accepted proposal is none any more');
});

t.test(
  'a dismissed proposal comes back with twice the abuse, and a network is proposed as a rule',
  async (t) => {
    const owner = await plane.customer();
    const stranger = await plane.customer();
    const { id: keyId } = await newKey(owner);
    const proposed = async () =>
      (await owner.call('GET', '/api/v1/dashboard/outcomes/proposals/')).body.proposals as {
        kind: string;
        value: string;
        match: string | null;
        rule: object | null;
        abuse: number;
      }[];
    const values = async () => (await proposed()).map(({ kind, value }) => `${kind} ${value}`).sort();
    const dismiss = ({ call }: typeof owner, kind: string, value: string, abuse: number) =>
      call('POST', '/api/v1/dashboard/outcomes/proposals/dismiss/', { kind, value, abuse });
    const abuse = async (checks: readonly { id: string }[]) =>
      owner.call('POST', OUTCOMES, { items: checks.map(({ id }) => ({ id, outcome: 'abuse' })) });
    const free = {
      ...rowOf('', '').verdict,
      signals: { disposable_email: false, mx_valid: true, free_provider: true },
    };
    const from = (n: number) => ({
      ...checkOf(owner.accountId, keyId, `p${n}@gmail.com`),
      ip: `5.9.12.${n}`,
      verdict: free,
    });
    const jane = ['j.ane@gmail.com', 'jane+x@gmail.com', 'jane+y@gmail.com', 'jane+z@gmail.com'].map(
      (email) => ({
        ...checkOf(owner.accountId, keyId, email),
        mailbox_hash: hashOf('jane@gmail.com'),
        verdict: free,
      }),
    );
    const network = [1, 2, 3, 4, 5, 6].map(from);
    await persistChecks(db, [...network, ...jane]);
    await abuse([...network.slice(0, 3), ...jane.slice(0, 2)]);
    t.strictSame(await values(), ['mailbox jane@gmail.com', 'network 5.9.12.0/24']);
    t.match(
      (await proposed()).find(({ kind }) => kind === 'network'),
      {
        match: null,
        abuse: 3,
        rule: {
          name: 'Challenge 5.9.12.0/24',
          when: { all: [{ field: 'ip.network', op: 'eq', value: '5.9.12.0/24' }] },
          then: { at_least: 'challenge' },
        },
      },
    );
    t.equal((await dismiss(stranger, 'network', '5.9.12.0/24', 3)).status, 200);
    t.equal((await values()).length, 2, 'a stranger dismisses nothing of this account');
    t.equal((await dismiss(owner, 'network', '5.9.12.0/24', 3)).status, 200);
    t.equal((await dismiss(owner, 'mailbox', 'Jane@gmail.com', 2)).status, 200);
    t.strictSame(await values(), []);
    t.notMatch(JSON.stringify(await db.dismissedProposal.findMany()), /jane/i, 'a dismissal names no person');
    await dismiss(owner, 'network', '5.9.12.0/24', 0);
    t.strictSame(await values(), ['network 5.9.12.0/24'], 'taken back');
    await dismiss(owner, 'network', '5.9.12.0/24', 3);
    await abuse([...network.slice(3), ...jane.slice(2, 3)]);
    t.strictSame(await values(), ['network 5.9.12.0/24'], 'twice as much for one of them');
    await abuse(jane.slice(3));
    t.strictSame(await values(), ['mailbox jane@gmail.com', 'network 5.9.12.0/24']);

    const rule = (await proposed()).find(({ kind }) => kind === 'network')?.rule;
    const { policy } = (await owner.call('POST', '/api/v1/policies/', { rules: [rule] })).body;
    await db.account.update({ where: { id: owner.accountId }, data: { policyLive: policy.version } });
    t.strictSame(await values(), ['mailbox jane@gmail.com'], 'an accepted rule is proposed no more');
    t.equal((await dismiss(owner, 'mailbox', 'no address', 1)).status, 400);
    t.equal((await dismiss(owner, 'colour', 'red', 1)).status, 400);

    await dismiss(owner, 'mailbox', 'jane@gmail.com', 4);
    const kept = { where: { accountId: owner.accountId, kind: 'mailbox' } };
    t.equal(await db.dismissedProposal.count(kept), 1);
    await eraseSubjects(db, [hashOf('jane@gmail.com')]);
    t.equal(await db.dismissedProposal.count(kept), 0, 'erasure takes it');
  },
);
