import { randomBytes, randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { forAccount } from '@verdict/db/accounts/account-scope.js';
import type { CheckRow } from '@verdict/db/checks/check-row.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { eraseSubjects } from '@verdict/db/erasure/erase-subject.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { createSealer } from '@verdict/domain/sealed-text.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import type { Mail } from '@verdict/mail/mail.js';
import { renderMail } from '@verdict/mail/render-mail.js';
import t from 'tap';
import { groupHours } from '../src/bursts/group-hours.js';
import { watchBursts } from '../src/bursts/watch-bursts.js';
import { seededRandom } from './support/random-checks.js';

const database = await createDatabase();
t.teardown(() => database.drop());
const owner = connectDatabase({ url: database.url, name: 'test' });
const db = connectDatabase({ url: database.urlOf('worker'), name: 'verdict-worker' });
t.teardown(() => Promise.all([owner.$disconnect(), db.$disconnect()]));

const sealer = createSealer(randomBytes(32).toString('base64'), randomFillSync);
const createId = createIdFactory(Date.now, (bytes) => void randomFillSync(bytes));
const HOUR_MS = 3_600_000;

/** One sign-up: who, from where, and how it was decided. */
interface SignUp {
  readonly email: string;
  readonly ip: string;
  readonly decision?: string;
  readonly mx?: string;
}

/** Providers by share, as sign-ups of consumers have them; everybody else is at a company. */
const PROVIDERS: readonly (readonly [number, string, string])[] = [
  [0.46, 'gmail.com', 'google.com gmail-smtp-in.l.google.com'],
  [0.56, 'outlook.com', 'outlook.com mx.outlook.com'],
  [0.63, 'yahoo.com', 'yahoodns.net mta5.am0.yahoodns.net'],
  [0.68, 'icloud.com', 'icloud.com mx01.mail.icloud.com'],
];
const THROW_AWAY = ['mailinator.com', 'yopmail.com', 'trashmail.de', 'guerrillamail.com'];

/** People as they sign up: from anywhere, some carriers more than others, a few with throw-away addresses. */
function people(count: number, seed: number): SignUp[] {
  const below = seededRandom(seed);
  const random = () => below(1e6) / 1e6;
  return Array.from({ length: count }, (_, n) => {
    const ip =
      random() < 0.2 ? `100.64.${below(4)}.${below(256)}` : `81.${below(200)}.${below(256)}.${below(256)}`;
    const name = `p${n}${below(1e6)}`;
    if (random() < 0.015) {
      const domain = THROW_AWAY[below(THROW_AWAY.length)];
      return { email: `${name}@${domain}`, ip, decision: 'block' };
    }
    const share = random();
    const [, domain, mx] = PROVIDERS.find(([up]) => share < up) ?? [
      1,
      `company${below(900)}.test`,
      'google.com aspmx.l.google.com',
    ];
    const decision = random() < 0.94 ? 'allow' : random() < 0.8 ? 'challenge' : 'review';
    return { email: `${name}@${domain}`, ip, decision, mx };
  });
}

/** 300 sign-ups from 250 addresses of one network: ten mailboxes under many spellings, and numbered names. */
const attack: readonly SignUp[] = Array.from({ length: 300 }, (_, n) => ({
  email: n < 200 ? `bot${n % 10}+${n}@gmail.com` : `bonus${n}@freemail-offers.com`,
  ip: `5.9.12.${n % 250}`,
  decision: n < 22 ? 'allow' : 'challenge',
  mx: n < 200 ? 'google.com gmail-smtp-in.l.google.com' : 'freemail-offers.com mx.freemail-offers.com',
}));

async function account(): Promise<string> {
  const id = createId('acc');
  await owner.account.create({ data: { id, name: 'a', plan: 'free' } });
  return id;
}

function rowOf(
  accountId: string,
  { email, ip, decision = 'allow', mx = '' }: SignUp,
  atMs: number,
): CheckRow {
  const [local = '', domain = ''] = email.split('@');
  const mailbox = `${local.split('+')[0]}@${domain}`;
  return {
    id: createId('log'),
    account_id: accountId,
    key_id: 'key_1',
    request_id: createId('req'),
    created_at: formatCreatedAt(Math.round(atMs * 1000)),
    email,
    domain,
    email_hash: email,
    mailbox_hash: mailbox === email ? null : mailbox,
    ip,
    verdict: {
      decision,
      risk_score: 0,
      verdict_score: 0,
      signals: {
        disposable_email: false,
        mx_valid: true,
        free_provider: PROVIDERS.some(([, name]) => name === domain),
      },
      factors: [],
      datasets: 'd',
      reasons: [],
      mx,
    },
  };
}

/** Stores sign-ups in equal steps over the hours before now. */
async function signUp(
  accountId: string,
  signUps: readonly SignUp[],
  { from, to }: { from: number; to: number },
) {
  const stepMs = ((from - to) * HOUR_MS) / signUps.length;
  const now = Date.now();
  await persistChecks(
    db,
    signUps.map((one, n) => rowOf(accountId, one, now - from * HOUR_MS + n * stepMs)),
  );
}

/** By the first two parts of an IP: one system for a hoster, one for a carrier, some for the rest. */
const lookUp = async (ips: readonly string[]) =>
  ips.map((ip) => {
    const [first = '', second = ''] = ip.split('.');
    const asn = first === '5' ? 24940 : first === '100' ? 3320 : 60000 + (Number(second) % 20);
    return { kind: null, country: 'DE', asn, organisation: null };
  });

const watch = async () => {
  await groupHours({ db, lookUp }, { days: 31, turnMs: 60_000 });
  return watchBursts({ db, lookUp, sealer });
};
/** Everything is grouped already, so accounts are looked at because their last hours changed. */
async function watchAfter(
  accountId: string,
  signUps: readonly SignUp[],
  hours: { from: number; to: number },
) {
  await signUp(accountId, signUps, hours);
  return watchBursts({ db, lookUp, sealer });
}
const burstsOf = (accountId: string) => forAccount(owner, accountId).bursts.list();
const events = (accountId: string) =>
  owner.webhookEvent.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' } });

t.test('300 sign-ups of one network are a burst, with what was decided and five examples', async (t) => {
  const id = await account();
  await signUp(id, people(3_000, 1), { from: 24 * 20, to: 3 });
  await watch();
  t.strictSame(await burstsOf(id), [], 'three weeks of people are none');
  await watchAfter(id, attack, { from: 0.05, to: 0 });
  const found = await burstsOf(id);
  t.strictSame(found.flatMap(({ kind, value }) => (kind === 'mailbox' ? [] : [`${kind} ${value}`])).sort(), [
    'as AS24940',
    'domain freemail-offers.com',
    'mail_host freemail-offers.com',
    'network 5.9.12.0/24',
  ]);
  const mailboxes = found.filter(({ kind }) => kind === 'mailbox');
  t.equal(mailboxes.length, 5, 'of ten mailboxes, as many as somebody wants to hear of');
  t.ok(
    mailboxes.every(({ value, examples }) => examples.includes(value)),
    'a mailbox is named by a check',
  );
  const network = found.find(({ kind }) => kind === 'network');
  t.match(network, { allow: 22, challenge: 278, review: 0, block: 0, usual: 0, ended_at: null });
  t.equal(network?.examples.length, 5);
  t.ok(Date.parse(network?.started_at ?? '') > Date.now() - HOUR_MS / 4, 'since its first check');
  const told = await events(id);
  t.match(
    told.find(({ data }) => (data as { kind: string }).kind === 'network'),
    { type: 'burst.started', data: { burst_id: network?.id, value: '5.9.12.0/24', checks: 300 } },
  );
  await watchAfter(id, attack.slice(200), { from: 0.01, to: 0 });
  t.match(
    await burstsOf(id),
    found.map(({ id }) => ({ id })),
    'the same bursts go on',
  );
  t.equal((await burstsOf(id)).find(({ kind }) => kind === 'network')?.challenge, 378);
  t.equal((await events(id)).length, told.length, 'nobody is told twice');
});

t.test('the day of a launch is no attack', async (t) => {
  const office = Array.from({ length: 60 }, (_, n) => ({
    email: `e${n}@bigcorp.test`,
    ip: `203.0.113.${n}`,
  }));
  const launch = [...people(6_000, 2), ...office, ...people(1_500, 3)];
  await t.test('of an account with three quiet weeks', async (t) => {
    const id = await account();
    await signUp(id, people(3_000, 4), { from: 24 * 20, to: 3 });
    await watch();
    await watchAfter(id, launch, { from: 1, to: 0 });
    t.strictSame(await burstsOf(id), []);
  });
  await t.test('of an account that begins with it', async (t) => {
    const id = await account();
    await watchAfter(id, launch, { from: 1, to: 0 });
    t.strictSame(await burstsOf(id), []);
  });
  await t.test('and an attack in the middle of it still is one', async (t) => {
    const id = await account();
    await watchAfter(id, [...launch, ...attack], { from: 1, to: 0 });
    const found = await burstsOf(id);
    t.strictSame(new Set(found.map(({ kind }) => kind)), new Set(['network', 'mailbox']));
  });
});

/** Opens the mails that wait, as text, and empties the outbox. */
async function mailed() {
  const waiting = await owner.outgoingMail.findMany({ orderBy: { createdAt: 'asc' } });
  await owner.outgoingMail.deleteMany();
  return waiting.map(({ id, sealed }) => {
    const { to, mail } = JSON.parse(sealer.open(sealed, id) ?? '') as { to: string; mail: Mail };
    return { to, ...renderMail(mail, 'https://verdict.example') };
  });
}

async function member(accountId: string, name: string, role: string, confirmed = true) {
  const email = `${name}@${accountId.toLowerCase()}.test`;
  const userId = createId('usr');
  const at = confirmed ? new Date() : null;
  await owner.user.create({ data: { id: userId, accountId, email, passwordHash: 'x', emailVerifiedAt: at } });
  await owner.$executeRaw`
    INSERT INTO memberships (account_id, user_id, role) VALUES (${accountId}, ${userId}, ${role})
    ON CONFLICT (account_id, user_id) DO UPDATE SET role = excluded.role`;
  return email;
}

t.test(
  'those who can stop an attack hear of it by mail, once when it begins and once when it is over',
  async (t) => {
    const id = await account();
    const [ann, eve] = [await member(id, 'ann', 'owner'), await member(id, 'eve', 'analyst')];
    await member(id, 'bill', 'billing');
    await member(id, 'new', 'analyst', false);
    await watchAfter(id, people(40, 12), { from: 1, to: 0.5 });
    t.strictSame(await mailed(), []);
    await watchAfter(id, attack, { from: 0.05, to: 0 });
    const begun = await mailed();
    t.strictSame(
      begun.map(({ to }) => to).sort(),
      [ann, eve].sort(),
      'no bookkeeper, and no address that nobody confirmed',
    );
    t.match(begun[0], {
      subject: 'Repeated sign-ups: network 5.9.12.0/24',
      text: /300 checks since .*: 22 allowed, 278 challenged\.[\s\S]*https:\/\/verdict\.example\//,
    });
    await watchAfter(id, attack.slice(0, 150), { from: 0.01, to: 0 });
    t.strictSame(await mailed(), [], 'nobody is written to twice');
    await owner.$executeRaw`DELETE FROM check_groups WHERE account_id = ${id} AND hour > now() - interval '3 hours'`;
    await watchBursts({ db, lookUp, sealer });
    const over = await mailed();
    t.strictSame(over.map(({ to }) => to).sort(), [ann, eve].sort());
    t.ok(over.every(({ subject }) => subject.startsWith('Repeated sign-ups are over: ')));
    t.strictSame(
      (await burstsOf(id)).filter(({ ended_at }) => ended_at === null),
      [],
    );

    await owner.account.update({ where: { id }, data: { burstMails: false } });
    await watchAfter(id, attack, { from: 0.02, to: 0 });
    t.ok((await burstsOf(id)).some(({ ended_at }) => ended_at === null));
    t.strictSame(await mailed(), [], 'an account that wants no mails gets none');
  },
);

/** Good days that others wrote about, with the people who came and how long it took. */
const PUBLISHED: Readonly<Record<string, { hours: number; signUps: readonly SignUp[] }>> = {
  'filepicker.io on Hacker News: 500 sign-ups in the four hours of 10,000 visits (brettcvz.com, 2012)': {
    hours: 4,
    signUps: people(500, 8),
  },
  'a meet-up of 99 behind one address, in an hour (Kilo-Org/cloud#2883)': {
    hours: 1,
    signUps: people(99, 9).map((one) => ({ ...one, ip: '203.0.113.9' })),
  },
  'twenty colleagues of one office in a morning (different-ai/openwork#3545)': {
    hours: 2,
    signUps: Array.from({ length: 20 }, (_, n) => ({ email: `c${n}@office.test`, ip: '203.0.113.10' })),
  },
};

t.test('published launches, meet-ups and offices are no attacks', async (t) => {
  for (const [name, { hours, signUps }] of Object.entries(PUBLISHED)) {
    const id = await account();
    await signUp(id, people(800, 10), { from: 24 * 8, to: 5 });
    await watch();
    await watchAfter(id, signUps, { from: hours, to: 0 });
    t.strictSame(await burstsOf(id), [], name);
  }
});

/** Sign-ups by hour, up to an hour; the file says whose they are. */
const TRACE = readFileSync(inRoot('services/worker/test/traces/mastodon-social-2016.csv'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [hour = '', count = ''] = line.split(',');
    return /^20/.test(hour) ? [{ hour, count: Number(count) }] : [];
  });
const untilHour = (hour: string) => TRACE.slice(0, TRACE.findIndex((each) => each.hour === hour) + 1);

/** Stores people as the trace has them, so many times as many, its last hour being the one before now. */
async function replay(
  accountId: string,
  trace: typeof TRACE,
  { times, seed }: { times: number; seed: number },
) {
  const everybody = people(
    trace.reduce((sum, { count }) => sum + count * times, 0),
    seed,
  );
  const now = Date.now();
  const rows = trace.flatMap(({ count }, n) => {
    const start = now - (trace.length - n) * HOUR_MS;
    return everybody
      .splice(0, count * times)
      .map((one, i) => rowOf(accountId, one, start + (i * HOUR_MS) / (count * times)));
  });
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE)
    await persistChecks(db, rows.slice(first, first + ROWS_AT_ONCE));
}
const ROWS_AT_ONCE = 2_000;

t.test(
  'the wave of a published trace is no attack in any of its hours, and one in the middle of it is',
  async (t) => {
    t.equal(TRACE.length, 756, 'the file is whole');
    const wave = ['19', '20', '21', '22', '23'].map((hour) => `2017-01-02T${hour}:00Z`);
    const cases = [...wave.map((hour) => ({ hour, times: 1 })), { hour: '2017-01-02T21:00Z', times: 10 }];
    for (const [n, { hour, times }] of cases.entries()) {
      const id = await account();
      await replay(id, untilHour(hour), { times, seed: 20 + n });
      await watch();
      t.strictSame(await burstsOf(id), [], `${hour}, ${times} times`);
      if (times === 1) continue;
      await watchAfter(id, attack, { from: 0.2, to: 0 });
      t.match(
        (await burstsOf(id)).filter(({ kind }) => kind === 'network'),
        [{ value: '5.9.12.0/24', ended_at: null }],
      );
    }
  },
);

/** Attacks that their victims counted, as far as what repeats is known (docs/scoring.md). */
const COUNTED: Readonly<Record<string, readonly SignUp[]>> = {
  network: attack,
  mailbox: [101, 91, 37, 24].flatMap((count, who) =>
    Array.from({ length: count }, (_, n) => ({
      email: `ring${who}+${n}@gmail.com`,
      ip: `81.${who}.${n}.7`,
      decision: n < 2 ? 'allow' : 'challenge',
    })),
  ),
  domain: Array.from({ length: 36 }, (_, n) => ({
    email: `user${n}@zkq.test`,
    ip: `81.9.${n}.7`,
    decision: n < 3 ? 'allow' : 'challenge',
  })),
};

t.test('published attacks are, by what they repeat', async (t) => {
  for (const [kind, signUps] of Object.entries(COUNTED)) {
    const id = await account();
    await watchAfter(id, signUps, { from: 0.5, to: 0 });
    t.ok(
      (await burstsOf(id)).some((burst) => burst.kind === kind),
      kind,
    );
  }
});

t.test('fresh domains that a program made up are a burst by what they look like', async (t) => {
  const id = await account();
  await signUp(id, people(3_000, 13), { from: 24 * 20, to: 3 });
  await watch();
  const fresh = Array.from({ length: 60 }, (_, n) => ({
    email: `ann${n}@shop${n % 30}.xyz`,
    ip: `81.${n}.9.7`,
    decision: n < 10 ? 'allow' : 'challenge',
    mx: `shop${n % 30}.xyz mx.shop${n % 30}.xyz`,
  }));
  await watchAfter(id, [...fresh, ...people(20, 14)], { from: 0.05, to: 0 });
  const found = await burstsOf(id);
  t.match(found, [{ kind: 'shape', value: 'abc123.xyz', allow: 10, challenge: 50, usual: 0 }]);
  t.equal(found[0]?.examples.length, 5);
});

t.test('plain names of one new network are a burst though every check was allowed', async (t) => {
  const id = await account();
  await signUp(id, people(3_000, 6), { from: 24 * 20, to: 3 });
  await watch();
  const plain = Array.from({ length: 150 }, (_, n) => ({ email: `ann.b${n}@d${n}.test`, ip: `5.9.12.${n}` }));
  await watchAfter(id, [...plain, ...people(40, 7)], { from: 0.05, to: 0 });
  t.match(await burstsOf(id), [{ kind: 'network', value: '5.9.12.0/24', allow: 150 }]);
});

t.test('a burst ends when it is over, and is told of once', async (t) => {
  const id = await account();
  await watchAfter(id, attack, { from: 0.05, to: 0 });
  const begun = (await burstsOf(id)).length;
  t.ok(begun > 0);
  await owner.$executeRaw`UPDATE usage_hourly SET hour = hour - interval '4 hours' WHERE account_id = ${id}`;
  await owner.$executeRaw`UPDATE check_groups SET hour = hour - interval '4 hours' WHERE account_id = ${id}`;
  await owner.$executeRaw`DELETE FROM check_group_hours WHERE account_id = ${id}`;
  for (let n = 0; n < 2; n++) await watchBursts({ db, lookUp, sealer });
  const ended = await burstsOf(id);
  t.equal(ended.length, begun, 'still shown for a day');
  t.notOk(ended.some(({ ended_at }) => ended_at === null));
  t.equal((await events(id)).filter(({ type }) => type === 'burst.ended').length, begun);
});

t.test('an account that does not count repetitions has no bursts', async (t) => {
  const id = await account();
  await owner.account.update({ where: { id }, data: { bursts: false } });
  await watchAfter(id, attack, { from: 0.05, to: 0 });
  t.strictSame(await burstsOf(id), []);
});

t.test('a file with many throw-away addresses is no attack', async (t) => {
  const id = await account();
  const now = Date.now();
  await persistChecks(
    db,
    attack.map((one) => ({ ...rowOf(id, one, now), request_id: createId('job') })),
  );
  await watchBursts({ db, lookUp, sealer });
  t.strictSame(await burstsOf(id), []);
});

t.test(
  'an hour that fills is read a few times, whatever the number of its checks, and once for its networks',
  async (t) => {
    const id = await account();
    await watch();
    let readings = 0;
    for (const one of people(60, 15)) {
      await signUp(id, Array(10).fill({ ...one, decision: 'allow' }), { from: 0.001, to: 0 });
      const grouped = await groupHours({ db, lookUp }, { days: 3 / 24, isGrown: true });
      readings += grouped.has(id) ? 1 : 0;
    }
    // At 100, 200, 300 and 450 of the 600 checks; where the clock passes an hour meanwhile, each part by its own count.
    t.ok(readings >= 3 && readings <= 6, `${readings} readings`);

    const asked: number[] = [];
    const many = Array.from({ length: 2_500 }, (_, n) => ({
      email: `n${n}@gmail.com`,
      ip: `91.${n >> 8}.${n % 256}.7`,
    }));
    await signUp(await account(), many, { from: 0.001, to: 0 });
    const counting = async (ips: readonly string[]) => {
      asked.push(ips.filter((ip) => ip.startsWith('91.')).length);
      return lookUp(ips);
    };
    await groupHours({ db, lookUp: counting }, { days: 3 / 24 });
    t.strictSame([asked.length, asked.reduce((sum, one) => sum + one, 0)], [3, 2_500]);
  },
);

t.test('erasure takes the groups that a person alone made up', async (t) => {
  const id = await account();
  const jane = { email: 'jane@keller.test', ip: '198.51.100.7', mx: 'keller.test mx.keller.test' };
  const others = people(20, 5);
  await signUp(id, [jane, { ...jane, email: 'jane+1@keller.test' }, ...others], { from: 0.01, to: 0 });
  await watch();
  const groups = (where: object) => owner.checkGroup.count({ where: { accountId: id, ...where } });
  t.equal(await groups({ value: 'jane@keller.test' }), 1, 'a mailbox is one group');
  const before = await groups({});
  await eraseSubjects(owner, ['jane@keller.test', 'jane+1@keller.test']);
  for (const value of ['jane@keller.test', 'keller.test', '198.51.100.0/24'])
    t.equal(await groups({ value }), 0, value);
  t.equal(await groups({}), before - 4, 'those of others stay');
});

t.test('an erased person takes the bursts along that only their checks made', async (t) => {
  const id = await account();
  const spellings = Array.from({ length: 40 }, (_, n) => ({
    email: `max+${n}@keller.test`,
    ip: '5.9.12.7',
    decision: 'challenge',
    mx: 'keller.test mx.keller.test',
  }));
  await watchAfter(id, [...spellings, ...attack.slice(200)], { from: 0.01, to: 0 });
  const values = async () =>
    (await owner.burst.findMany({ where: { accountId: id } })).map(({ value }) => value);
  t.ok((await values()).includes('keller.test'));
  await eraseSubjects(owner, ['max@keller.test']);
  t.notMatch((await values()).join(' '), /keller/);
  t.ok((await values()).includes('5.9.12.0/24'), 'one that others are part of stays');
});
