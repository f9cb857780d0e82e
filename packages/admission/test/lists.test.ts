import type { ListedValue } from '@verdict/domain/account-list.js';
import { ipDigits, parseIpNetwork } from '@verdict/domain/address/ip-network.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import t from 'tap';
import type { Candidate } from '../src/submission.js';
import { setUp, VERDICT } from './support/set-up.js';

const { account, admission, check, submission, clock, close } = await setUp();
t.teardown(close);

const ALIAS = { ...VERDICT, extra: { ...VERDICT.extra, alias: true } };

function entry(value: string, fields: Partial<ListedValue> = {}): ListedValue {
  const kind = value.includes('@')
    ? 'address'
    : value.includes('/')
      ? 'network'
      : ipDigits(value) !== ''
        ? 'ip'
        : 'domain';
  return { list: 'block', kind, match: 'exact', value, expires_at: null, ...fields };
}
const mailbox = (value: string, fields: Partial<ListedValue> = {}) =>
  entry(value, { match: 'mailbox', ...fields });

/** A check as gateways make it: `alias` says that the address is one of several spellings. */
function checkOf(canonical: string, normalIp = ''): Candidate {
  const domain = canonical.slice(canonical.lastIndexOf('@') + 1);
  const isAlias = mailboxOf({ canonical, domain }) !== canonical;
  return check({ canonical, normalIp, verdict: isAlias ? ALIAS : VERDICT });
}

async function matchesOf(entries: readonly ListedValue[], checks: readonly Candidate[]): Promise<string[]> {
  const outcome = await admission.take(submission(await account({ entries }), checks));
  if (outcome.state !== 'granted') throw new Error(outcome.state);
  const found = checks.map(() => '');
  for (const { at, list, kind, value } of outcome.matches) found[at] = `${list} ${kind} ${value}`;
  return found;
}

t.test(
  'a mailbox on a list is met by all of its spellings, and an exact entry comes before it',
  async (t) => {
    const entries = [
      mailbox('bob@gmail.com'),
      entry('b.ob@gmail.com', { list: 'allow' }),
      entry('bob+x@example.com'),
    ];
    const found = await matchesOf(
      entries,
      [
        'bob@gmail.com',
        'b.o.b+1@googlemail.com',
        'b.ob@gmail.com',
        'bobby@gmail.com',
        'bob+y@example.com',
      ].map((address) => checkOf(address)),
    );
    t.strictSame(found, [
      'block mailbox bob@gmail.com',
      'block mailbox bob@gmail.com',
      'allow address b.ob@gmail.com',
      '',
      '',
    ]);
  },
);

t.test(
  'a mail server on the block list is enough, the allow list has to name all of them, and names come before',
  async (t) => {
    const at = (canonical: string, mail: string, normalIp = ''): Candidate =>
      check({ canonical, normalIp, verdict: { ...VERDICT, extra: { ...VERDICT.extra, mail } } });
    const mx = (value: string, fields: Partial<ListedValue> = {}) => entry(value, { match: 'mx', ...fields });
    const past = new Date(Date.now() - 60_000).toISOString();
    const entries = [
      mx('bad.net'),
      mx('mx1.partner.org', { list: 'allow' }),
      mx('mx2.partner.org', { list: 'allow' }),
      mx('gone.net', { expires_at: past }),
      entry('known.example', { list: 'allow' }),
      entry('203.0.113.7', { list: 'allow' }),
      entry('bad.org'),
    ];
    const cases: [Candidate, string][] = [
      [at('a@x.example', 'bad.net mx7.bad.net'), 'block mx bad.net'],
      [at('a@x.example', 'bad.net bad.net'), 'block mx bad.net'],
      [at('a@x.example', 'decoy.org mx.decoy.org mx7.bad.net'), 'block mx bad.net'],
      [at('a@x.example', 'notbad.net mx.notbad.net'), ''],
      [at('a@x.example', 'partner.org mx1.partner.org'), 'allow mx mx1.partner.org'],
      [at('a@x.example', 'partner.org mx2.partner.org mx1.partner.org'), 'allow mx mx2.partner.org'],
      [at('a@x.example', 'partner.org mx1.partner.org mx.own.org'), ''],
      [at('a@x.example', 'partner.org mx1.partner.org mx7.bad.net'), 'block mx bad.net'],
      [at('a@x.example', 'gone.net mx.gone.net'), ''],
      [at('a@known.example', 'bad.net mx7.bad.net'), 'allow domain known.example'],
      [at('a@x.example', 'bad.net mx7.bad.net', '203.0.113.7'), 'block mx bad.net'],
      [at('a@x.example', 'other.org mx.other.org', '203.0.113.7'), 'allow ip 203.0.113.7'],
      [at('a@x.example', 'bad.org mx.bad.org'), ''],
      [at('a@x.example', ''), ''],
      [at('a@bad.net', ''), ''],
    ];
    const found = await matchesOf(
      entries,
      cases.map(([one]) => one),
    );
    for (const [i, [one, want]] of cases.entries()) t.equal(found[i], want, String(one.verdict.extra.mail));
    const [without] = await matchesOf([entry('bad.net')], [at('a@x.example', 'bad.net mx7.bad.net')]);
    t.equal(without, '', 'an entry for a domain does not name a mail server');
  },
);

t.test('a network holds its first and its last address and neither neighbour, at every length', async (t) => {
  const cases = [
    ...Array.from({ length: 25 }, (_, i) => ({ ip: '203.113.171.213', length: i + 8 })),
    ...Array.from({ length: 113 }, (_, i) => ({
      ip: '2001:db9:a5a5:5a5a:a5a5:5a5a:a5a5:5a5b',
      length: i + 16,
    })),
  ];
  for (const { ip, length } of cases) {
    const parsed = parseIpNetwork(`${ip}/${length}`);
    if (!parsed.ok) throw new Error(parsed.message);
    const { text, first, last } = parsed.network;
    const beside = [addressOf(first, -1n), addressOf(first, 0n), addressOf(last, 0n), addressOf(last, 1n)];
    const found = await matchesOf(
      [entry(text)],
      beside.map((normalIp) => checkOf('a@b.example', normalIp)),
    );
    t.strictSame(found, ['', `block network ${text}`, `block network ${text}`, ''], text);
  }
});

t.test('an IPv4 address that IPv6 maps is in the IPv4 network', async (t) => {
  const found = await matchesOf(
    [entry('203.0.113.0/24')],
    ['::ffff:203.0.113.9', '::ffff:cb00:7109'].map((ip) => checkOf('a@b.example', ip)),
  );
  t.strictSame(found, ['block network 203.0.113.0/24', 'block network 203.0.113.0/24']);
});

t.test('of a long name the domain itself and its eight shortest parents are looked for', async (t) => {
  const labels = Array.from({ length: 30 }, (_, i) => `l${i}`);
  const domain = labels.join('.').concat('.example');
  const parent = (count: number) => domain.split('.').slice(-count).join('.');
  for (const [listed, isFound] of [
    [domain, true],
    [parent(20), false],
    [parent(10), false],
    [parent(9), true],
    [parent(2), true],
  ] as const) {
    const [found] = await matchesOf([entry(listed)], [checkOf(`a@${domain}`)]);
    t.equal(found, isFound ? `block domain ${listed}` : '', listed);
  }
  for (let count = 2; count <= 9; count++) {
    const [whole, below] = await matchesOf(
      [entry(parent(count))],
      [checkOf(`a@${parent(count)}`), checkOf(`a@${parent(count + 1)}`)],
    );
    t.strictSame([whole, below], Array(2).fill(`block domain ${parent(count)}`));
  }
});

t.test('the most specific entry decides, as a naive search says', async (t) => {
  const random = generator(20_261_116);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const addresses = [
    'a@x.example',
    'a@deep.x.example',
    'b.o.b+1@gmail.com',
    'bob@gmail.com',
    'jo+t@proton.me',
  ];
  const ips = ['', '10.1.2.3', '10.1.2.200', '::ffff:10.1.2.3', '2001:db8::1', '2001:db8:0:1::1'];
  const possible = [
    ...addresses.map((value) => entry(value)),
    ...['bob@gmail.com', 'jo@proton.me', 'a@x.example'].map((value) => mailbox(value)),
    ...['x.example', 'deep.x.example', 'gmail.com', '10.1.2.3', '2001:db8::1'].map((value) => entry(value)),
    ...['10.0.0.0/8', '10.1.2.0/24', '10.1.2.128/25', '10.1.2.3/32'].map((value) => entry(value)),
    ...['2001:db8::/32', '2001:db8::/63', '2001:db8::/64', '2001:db8::1/128'].map((value) => entry(value)),
  ];
  for (let round = 0; round < 150; round++) {
    const entries = possible
      .filter(() => random() < 0.3)
      .map((one) => ({
        ...one,
        list: pick(['allow', 'block'] as const),
        expires_at: pick([null, null, '2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z']),
      }));
    const checks = Array.from({ length: 8 }, () => checkOf(pick(addresses), pick(ips)));
    t.strictSame(
      await matchesOf(entries, checks),
      checks.map((one) => naive(entries, one)),
      `round ${round}`,
    );
  }
});

/** Checks around the end of an entry: the moment of each step, and whether it matched. */
async function aroundEnd(aheadMs: number) {
  const end = new Date(Date.now() + aheadMs);
  const caller = await account({ entries: [entry('b.example', { expires_at: end.toISOString() })] });
  const seen: { readonly now: number; readonly isListed: boolean }[] = [];
  const ask = async (): Promise<void> => {
    const outcome = await admission.take(submission(caller));
    if (outcome.state !== 'granted') throw new Error(outcome.state);
    seen.push({ now: outcome.nowMicros, isListed: outcome.matches.length > 0 });
  };
  const endMicros = end.getTime() * 1_000;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (clock.now() < endMicros + 300_000 && seen.length < 900) await ask();
    }),
  );
  await eventually(() => clock.now() > endMicros);
  await ask();
  return { seen, endMicros };
}

t.test('an entry ends at its microsecond by the clock of the step, under load', async (t) => {
  // A busy machine may begin after the end.
  for (let aheadMs = 500, isBefore = false; !isBefore; aheadMs *= 2) {
    const { seen, endMicros } = await aroundEnd(aheadMs);
    isBefore = seen.some(({ isListed }) => isListed);
    t.strictSame(
      seen.filter(({ now, isListed }) => isListed !== now < endMicros),
      [],
      `${seen.length} checks`,
    );
    t.equal(seen.at(-1)?.isListed, false);
  }
});

/** Every entry that holds the check, then the first in the order of the documentation. */
function naive(entries: readonly ListedValue[], { canonical, normalIp }: Candidate): string {
  const domain = canonical.slice(canonical.lastIndexOf('@') + 1);
  const rankOf = ({ kind, match, value }: ListedValue): number => {
    if (match === 'mailbox') return value === mailboxOf({ canonical, domain }) ? 1 : Infinity;
    if (kind === 'address') return value === canonical ? 0 : Infinity;
    if (kind === 'domain')
      return domain === value || domain.endsWith(`.${value}`) ? 100 - value.length : Infinity;
    if (normalIp === '') return Infinity;
    if (kind === 'ip') return value === normalIp ? 200 : Infinity;
    const [network = '', length = ''] = value.split('/');
    const [its, ours] = [ipDigits(network), ipDigits(normalIp)];
    const hidden = BigInt(its.length * 4 - Number(length));
    const isIn = its.length === ours.length && BigInt(`0x${its}`) >> hidden === BigInt(`0x${ours}`) >> hidden;
    return isIn ? 500 - Number(length) : Infinity;
  };
  const [best] = entries
    .filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > Date.now())
    .map((one) => ({ one, rank: rankOf(one) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank);
  if (!best) return '';
  const { list, kind, match, value } = best.one;
  return `${list} ${match === 'mailbox' ? match : kind} ${value}`;
}

function addressOf(digits: string, more: bigint): string {
  const moved = (BigInt(`0x${digits}`) + more).toString(16).padStart(digits.length, '0');
  if (digits.length === 8) return [...Buffer.from(moved, 'hex')].join('.');
  return moved.replace(/....(?!$)/g, '$&:');
}

/** Numbers between 0 and 1 that are the same in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
