import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inRoot } from '@verdict/local-stack/paths.js';
import t from 'tap';
import { listedFactors } from '../src/account-list.js';
import { apiKeyHints, createApiKey, hashApiKey, isWellFormedApiKey } from '../src/api-key.js';
import { formatCreatedAt } from '../src/created-at.js';
import { decisionForScore } from '../src/decision.js';
import { storedIp } from '../src/email-storage.js';
import { createIdFactory, timeOfId } from '../src/id.js';
import { addMonths, isMonth, monthBounds, monthOf, monthOfCreatedAt } from '../src/month.js';
import { parsePlans } from '../src/plans.js';

const fill = (bytes: Uint8Array) => void randomFillSync(bytes);

t.test('created_at has microseconds and an offset', async (t) => {
  t.equal(
    formatCreatedAt(Date.UTC(2026, 10, 14, 23, 59, 16) * 1000 + 123456),
    '2026-11-14T23:59:16.123456+00:00',
  );
  t.equal(formatCreatedAt(Date.UTC(2026, 10, 14, 23, 59, 16) * 1000 + 7), '2026-11-14T23:59:16.000007+00:00');
  t.equal(formatCreatedAt(Date.UTC(2026, 10, 15, 0, 0, 0) * 1000), '2026-11-15T00:00:00.000000+00:00');
});

t.test('an IPv6 address is stored in one spelling', async (t) => {
  for (const ip of ['2001:0db8:85a3:0000:0000:8a2e:0370:7334', '2001:DB8:85A3::8A2E:370:7334'])
    t.equal(storedIp('full', ip), '2001:db8:85a3::8a2e:370:7334');
  t.equal(storedIp('full', '203.0.113.7'), '203.0.113.7');
  t.equal(storedIp('hashed', '2001:db8::1'), null);
});

t.test('the bands are those of the contract', async (t) => {
  const expected: [number, string][] = [
    [0, 'allow'],
    [29, 'allow'],
    [30, 'challenge'],
    [54, 'challenge'],
    [55, 'review'],
    [79, 'review'],
    [80, 'block'],
    [100, 'block'],
  ];
  for (const [score, decision] of expected) t.equal(decisionForScore(score), decision, String(score));
});

t.test('an API key is recognised by its checksum, and every single mistyped letter is refused', async (t) => {
  const key = createApiKey(fill);
  t.match(key, /^vrd_live_[0-9A-Za-z]{38}$/);
  t.ok(isWellFormedApiKey(key));
  for (let i = 0; i < key.length; i++) {
    const other = key[i] === 'A' ? 'B' : 'A';
    t.notOk(isWellFormedApiKey(key.slice(0, i) + other + key.slice(i + 1)), `letter ${i}`);
  }
  for (const wrong of [
    '',
    key.slice(1),
    `${key}A`,
    key.replace('live', 'test'),
    'x'.repeat(47),
    `${key.slice(0, -1)}é`,
  ]) {
    t.notOk(isWellFormedApiKey(wrong), wrong);
  }
  t.match(hashApiKey(key), /^[0-9a-f]{64}$/);
  t.same(apiKeyHints(key), { prefix: key.slice(0, 13), lastFour: key.slice(-4) });
});

t.test('keys and ids do not repeat', async (t) => {
  const createId = createIdFactory(Date.now, fill);
  const ids = new Set(Array.from({ length: 20_000 }, () => createId('log')));
  t.equal(ids.size, 20_000);
  t.equal(new Set(Array.from({ length: 2_000 }, () => createApiKey(fill))).size, 2_000);
});

t.test('ids carry their prefix and their time, and sort by it', async (t) => {
  let now = 1_794_700_000_000;
  const createId = createIdFactory(() => now, fill);
  const first = createId('log');
  now += 1;
  const second = createId('log');
  t.match(first, /^log_[0-9A-HJKMNP-TV-Z]{26}$/);
  t.ok(first < second);
  t.equal(timeOfId(second), now);
});

t.test('months are calendar months in UTC', async (t) => {
  t.equal(monthOf(new Date('2026-11-30T23:59:59.999Z')), '2026-11');
  t.equal(monthOfCreatedAt('2026-12-01T00:00:00.000000+00:00'), '2026-12');
  t.same(monthBounds('2026-12'), {
    start: new Date('2026-12-01T00:00:00Z'),
    end: new Date('2027-01-01T00:00:00Z'),
  });
  t.equal(addMonths('2026-01', -1), '2025-12');
  t.ok(isMonth('2026-12'));
  t.notOk(isMonth('2026-13'));
  t.notOk(isMonth('2026-1'));
});

t.test('the shipped plans are the settled ones', async (t) => {
  const file = inRoot('config/plans.json');
  const plans = parsePlans(JSON.parse(readFileSync(file, 'utf8')));
  const terms = [...plans.values()].map(({ name, checksPerMonth, checksPerSecond }) => [
    name,
    checksPerMonth,
    checksPerSecond,
  ]);
  t.same(terms, [
    ['free', 1_000, 50],
    ['starter', 25_000, 200],
    ['growth', 250_000, 1_000],
    ['scale', 2_500_000, 5_000],
  ]);
});

t.test('a plans file that is wrong is refused with a sentence that says where', async (t) => {
  const free = { checks_per_month: 1, checks_per_second: 1, retention_days: 1 };
  t.throws(() => parsePlans([]), /object of plans/);
  t.throws(() => parsePlans({}), /no plan "free"/);
  t.throws(() => parsePlans({ free, 'Big One': free }), /"Big One" is not a plan name/);
  t.throws(
    () => parsePlans({ free: { ...free, checks_per_second: 0 } }),
    /plan "free" needs .* checks_per_second/,
  );
  t.throws(() => parsePlans({ free: { ...free, checks_per_month: 1.5 } }), /checks_per_month/);
});

t.test("an account's own entry has all the points, and what was found is still said", async (t) => {
  const found = [{ code: 'DISPOSABLE_DOMAIN', points: 90, reason: 'Disposable' }];
  const allowed = listedFactors(found, {
    list: 'allow',
    kind: 'domain',
    value: 'mailinator.com',
    risk_score: 0,
  });
  t.same(allowed[0], {
    code: 'ACCOUNT_ALLOW',
    points: 0,
    reason: 'The domain mailinator.com is on your allow list',
  });
  t.match(allowed[1], { points: 0, reason: 'Disposable (overridden by your allow list)' });
  const blocked = listedFactors(found, { list: 'block', kind: 'ip', value: '203.0.113.7', risk_score: 100 });
  t.strictSame(
    blocked.map(({ points }) => points),
    [100, 0],
  );
});
