import { accountKey } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { type Customer, startControlPlane } from './support/control-plane.js';
import { startScoringReplica } from './support/scoring-replica.js';
import { startStores } from './support/stores.js';

const TRY = '/api/v1/policies/try/';
/** A relay of 10 points, and a VPN behind every IP. */
const { url, asked } = await startScoringReplica(
  t,
  () => ({
    risk_score: 10,
    factors: [{ code: 'RELAY_DOMAIN', points: 10, reason: 'The domain is a relay' }],
  }),
  { kind: 'vpn', country: 'NL', asn: 64500, organisation: null },
);
const stores = await startStores(t);
const plane = await startControlPlane(t, stores, { SCORING_URLS: url });

const relays = (then: object, field = 'codes', op = 'has', value: unknown = 'RELAY_DOMAIN') => [
  { name: 'Relays', when: { all: [{ field, op, value }] }, then },
];
const attempt = ({ call }: Customer, rules: unknown, more: object = {}) =>
  call('POST', TRY, { rules, email: 'Ann@Relay.example', ...more });

t.test('a try says what the live version and the sent rules make of an address, and why', async (t) => {
  const customer = await plane.customer();
  const first = await attempt(customer, relays({ at_least: 'review' }));
  t.equal(first.status, 200);
  t.match(first.body, {
    live: null,
    before: {
      decision: 'allow',
      risk_score: 10,
      rule: null,
      factors: [{ code: 'RELAY_DOMAIN', points: 10 }],
    },
    after: {
      decision: 'review',
      rule: 'Relays',
      factors: [
        { code: 'RELAY_DOMAIN', points: 10 },
        { code: 'POLICY', reason: "Your rule 'Relays' asks for review" },
      ],
    },
    unknown: [],
  });
  const { after } = first.body;
  const points = after.factors.reduce((sum: number, factor: { points: number }) => sum + factor.points, 0);
  t.equal(points, after.risk_score, 'points add up to the score');
  await customer.call('POST', '/api/v1/policies/', { rules: relays({ exactly: 'block' }) });
  await customer.call('PUT', '/api/v1/policies/live/', { version: 1 });
  t.match((await attempt(customer, [])).body, {
    live: 1,
    before: { decision: 'block', rule: 'Relays' },
    after: { decision: 'allow', rule: null },
  });
});

t.test('an entry of a list comes before rules, the most specific one first', async (t) => {
  const customer = await plane.customer();
  await customer.call('POST', '/api/v1/lists/block/', { value: 'relay.example' });
  const blocked = (await attempt(customer, relays({ exactly: 'allow' }))).body;
  t.match(blocked, { before: { decision: 'block' }, after: { decision: 'block', rule: null } });
  t.equal(blocked.after.factors[0].code, 'ACCOUNT_BLOCK');
  await customer.call('POST', '/api/v1/lists/allow/', { value: 'ann@relay.example' });
  t.match((await attempt(customer, relays({ exactly: 'block' }))).body.after, { decision: 'allow' });
});

t.test(
  'rules read the network of an IP where the account looks IPs up, and name what they cannot know',
  async (t) => {
    const customer = await plane.customer();
    const rules = relays({ exactly: 'block' }, 'ip.kind', 'eq', 'vpn');
    t.match((await attempt(customer, rules, { ip: '192.0.2.1' })).body, {
      after: { decision: 'block' },
      unknown: [],
    });
    const fromThere = relays({ exactly: 'block' }, 'ip.country', 'in', ['nl', 'be']);
    t.match((await attempt(customer, fromThere, { ip: '192.0.2.1' })).body, { after: { decision: 'block' } });
    const notThere = relays({ exactly: 'block' }, 'ip.asn', 'ne', 'AS64501');
    t.match((await attempt(customer, notThere)).body, { after: { decision: 'allow' }, unknown: [] }, 'no IP');
    t.match((await attempt(customer, rules)).body, { after: { decision: 'allow' }, unknown: [] });
    await customer.call('PATCH', '/api/v1/dashboard/settings/', { ip_intelligence: false });
    t.match((await attempt(customer, rules, { ip: '192.0.2.1' })).body, {
      after: { decision: 'allow' },
      unknown: ['ip.kind'],
    });
    const counted = await attempt(customer, [
      ...relays({ exactly: 'block' }, 'seen.mailbox', 'lte', 16),
      { ...relays({ exactly: 'block' }, 'key', 'ne', `key_${'0'.repeat(26)}`)[0], name: 'Key' },
    ]);
    t.match(
      counted.body,
      { after: { decision: 'block', rule: 'Relays' }, unknown: ['key'] },
      'counts are read',
    );
    t.strictSame(counted.body.considered, ['lists', 'policy', 'bursts']);
    await customer.call('PATCH', '/api/v1/dashboard/settings/', { bursts: false });
    const uncounted = await attempt(customer, relays({ exactly: 'block' }, 'seen.mailbox', 'lte', 16));
    t.match(uncounted.body, { after: { decision: 'allow' }, unknown: ['seen.mailbox'] });
    t.strictSame(uncounted.body.considered, ['lists', 'policy']);
  },
);

t.test('a try counts nothing on a server whose gateways count nothing', async (t) => {
  const silent = await startControlPlane(t, stores, {
    SCORING_URLS: url,
    BURSTS: 'off',
  });
  const rules = relays({ exactly: 'block' }, 'seen.mailbox', 'lte', 16);
  const { body } = await attempt(await silent.customer(), rules);
  t.match(body, { after: { decision: 'allow' }, unknown: ['seen.mailbox'] });
  t.strictSame(body.considered, ['lists', 'policy']);
});

t.test('a try is judged now: a rule that has ended does not decide', async (t) => {
  const customer = await plane.customer();
  const ending = (ms: number) => {
    const ends_at = new Date(Date.now() + ms).toISOString();
    return relays({ exactly: 'block' }).map((rule) => ({ ...rule, ends_at }));
  };
  t.match((await attempt(customer, ending(-1))).body.after, { decision: 'allow', rule: null });
  t.match((await attempt(customer, ending(3_600_000))).body.after, { decision: 'block', rule: 'Relays' });
});

t.test('a refusal names the rule and the field before scoring is asked', async (t) => {
  const customer = await plane.customer();
  const before = asked.length;
  const refused = [
    [[{ name: 'a', when: {}, then: { watch: true } }], {}, 'rules[0].when'],
    ['x', {}, 'rules'],
    [[], { email: 'no address' }, 'email'],
    [[], { ip: 'somewhere' }, 'ip'],
  ] as const;
  for (const [rules, more, field] of refused) {
    const answer = await attempt(customer, rules, more);
    t.match(answer, { status: 400, body: { code: 'invalid_request', errors: [{ field }] } });
  }
  t.equal(asked.length, before);
});

t.test('tries leave no log and no usage, and share the verdicts of a day with test keys', async (t) => {
  const customer = await plane.customer();
  t.equal((await attempt(customer, [])).status, 200);
  const { unmetered } = (await customer.call('GET', '/api/v1/dashboard/overview/')).body;
  const { limit } = unmetered;
  t.strictSame(unmetered, { used: 1, limit: 250 });
  const key = accountKey(customer.accountId, plane.deps.config.REDIS_SHARDS);
  const [day, count] = String(await stores.redis.hget(key, 'd')).split(' ');
  t.equal(count, '1', 'where the step counts those of test keys');
  await stores.redis.hset(key, 'd', `${day} ${limit - 2}`);
  const answers = await Promise.all(Array.from({ length: 5 }, () => attempt(customer, [])));
  t.same(answers.map(({ status }) => status).sort(), [200, 200, 429, 429, 429]);
  t.match(answers.find(({ status }) => status === 429)?.body, {
    code: 'test_limit',
    checks_used: limit,
    checks_limit: limit,
  });
  const rows = await stores.db.$queryRaw`SELECT id FROM check_logs WHERE account_id = ${customer.accountId}`;
  t.same(rows, []);
  t.match((await customer.call('GET', '/api/v1/dashboard/overview/')).body, { checks_used: 0 });
});

t.test('a try brings back an account that Redis has lost', async (t) => {
  const customer = await plane.customer();
  await stores.redis.del(accountKey(customer.accountId, plane.deps.config.REDIS_SHARDS));
  t.equal((await attempt(customer, [])).status, 200);
});
