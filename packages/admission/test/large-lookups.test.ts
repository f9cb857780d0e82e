import type { StepNote } from '@verdict/contracts/step-note.js';
import type { ListedValue } from '@verdict/domain/account-list.js';
import { projectAccount } from '@verdict/redis-store/project.js';
import t from 'tap';
import { SUBJECTS_MAX } from '../src/meet-in-parts.js';
import type { Candidate, Outcome } from '../src/submission.js';
import { setUp, VERDICT } from './support/set-up.js';

const setting = await setUp();
const { account, admission, check, counted, fresh, redis, stepWith, store, submission } = setting;
t.teardown(setting.close);
const requests = setting.watchScripts();

type Granted = Extract<Outcome, { readonly state: 'granted' }>;

async function take(...asked: Parameters<typeof submission>): Promise<Granted> {
  const outcome = await admission.take(submission(...asked));
  if (outcome.state !== 'granted') throw new Error(outcome.state);
  return outcome;
}

const entry = (value: string, fields: Partial<ListedValue> = {}): ListedValue => ({
  ...{ list: 'block', kind: 'domain', match: 'exact', value, expires_at: null },
  ...fields,
});

const checksAt = (count: number, domainOf: (i: number) => string): Candidate[] =>
  Array.from({ length: count }, (_, i) => check({ canonical: `p${i}@${domainOf(i)}` }));

/** How many subjects each script brings meanwhile. */
async function subjectsOf(act: () => Promise<unknown>): Promise<number[]> {
  const from = requests.length;
  await act();
  return requests.slice(from).map((text) => {
    const { groups } = JSON.parse(text) as { groups: { readonly subjects?: readonly string[] }[] };
    return groups.reduce((sum, { subjects = [] }) => sum + subjects.length, 0);
  });
}

t.test(
  'a script compares a hundred checks with lists at most, and a large batch is granted as one',
  async (t) => {
    const caller = await account({ entries: [entry('x.example')] });
    await take(
      caller,
      checksAt(150, () => 'y.example'),
    ); // Redis knows the scripts now
    const checks = checksAt(250, (i) => (i % 7 === 0 ? 'x.example' : 'y.example'));
    const scripts = await subjectsOf(async () => {
      const { matches, used } = await take(caller, checks);
      t.equal(used, 400);
      t.strictSame(
        matches.map(({ at }) => at),
        checks.flatMap((_, i) => (i % 7 === 0 ? [i] : [])),
      );
    });
    t.strictSame(scripts, [100, 100, 50, 0]);
    t.equal(await counted(caller), 400);
  },
);

t.test('checks that gather bring a hundred subjects a script at most', async (t) => {
  const caller = await account({ entries: [entry('x.example')], limit: 100_000 });
  const plain = await account({ limit: 100_000 });
  await take(caller);
  await take(plain);
  const scripts = await subjectsOf(() =>
    Promise.all(Array.from({ length: 600 }, (_, i) => take(i % 10 === 0 ? plain : caller))),
  );
  t.equal(
    scripts.reduce((sum, subjects) => sum + subjects, 0),
    540,
  );
  t.ok(Math.max(...scripts) <= SUBJECTS_MAX, `${scripts}`);
  t.ok(Math.max(...scripts) > 1, 'they gathered');
});

t.test('what was met before a step holds while the lists are the same and no entry has ended', async (t) => {
  const caller = await account({ entries: [entry('x.example')] });
  const met = { lists: '0', extra: 0, matches: '' };
  const outcomeOf = async (group: object): Promise<string | undefined> => {
    const text = await stepWith(caller, fresh('bat'), undefined, group);
    const note = JSON.parse(String(text)) as StepNote;
    return note.groups[0]?.outcome;
  };
  const nowMicros = Date.now() * 1_000;
  t.equal(await outcomeOf({ met: { ...met, lists: '1' } }), 'needs', 'another version');
  t.equal(await outcomeOf({ met: { ...met, ends: nowMicros - 1_000_000 } }), 'needs', 'an end that is past');
  t.equal(await counted(caller), 0);
  t.equal(await outcomeOf({ met: { ...met, ends: nowMicros + 3_600_000_000 } }), 'granted');
  t.equal(await outcomeOf({ met }), 'granted');
  t.equal(await counted(caller), 2);
});

t.test('every check of a large batch meets the lists of one moment', async (t) => {
  const listOf = (version: number) => (version % 2 === 0 ? 'allow' : 'block');
  const caller = await account({ entries: [entry('x.example')], limit: 100_000 });
  await take(caller);
  const checks = checksAt(350, () => 'x.example');
  for (let version = 2; version < 32; version++) {
    const change = async () => {
      for (let i = 0; i < version % 8; i++) await redis.ping();
      await projectAccount(store, {
        ...{ accountId: caller.accountId, version, plan: 'free', limit: 100_000, rate: 100_000, used: [] },
        credentials: [{ name: caller.credential, status: 'active' }],
        listsVersion: version,
        lists: [entry('x.example', { list: listOf(version) })],
      });
    };
    const [{ matches }] = await Promise.all([take(caller, checks), change()]);
    t.equal(matches.length, 350);
    t.equal(new Set(matches.map(({ list }) => list)).size, 1, `version ${version}`);
  }
});

const NETWORKS = Array.from({ length: 16 }, (_, i) =>
  entry(`2001:db8::/${100 + i}`, { kind: 'network', list: 'allow' }),
);
const HEAVY = [...NETWORKS, entry('mx.example', { match: 'mx' })];
const LONG = Array.from({ length: 20 }, (_, i) => `l${i}`).join('.');

/** The longest look-up that there is: nine names of the domain, nine of each of four mail hosts, an IP, 16 networks. */
const heavy = (): Candidate => {
  const mail = ['x', ...[1, 2, 3, 4].map((i) => `h${i}.${LONG}.example`)].join(' ');
  return check({
    canonical: `a@${LONG}.example`,
    normalIp: '2001:db9::1',
    verdict: { ...VERDICT, extra: { ...VERDICT.extra, mail } },
  });
};

t.test(
  'a check spends its rate for every sixteen names that lists are asked for, and one of the month',
  async (t) => {
    const spentBy = async (entries: readonly ListedValue[], one: Candidate): Promise<number> => {
      const { account: view, used } = await take(await account({ rate: 100, entries }), [one]);
      t.equal(used, 1);
      return 100 - view.rateLeft;
    };
    t.equal(await spentBy([], heavy()), 1, 'without lists');
    t.equal(await spentBy([entry('x.example')], check({ normalIp: '203.0.113.7' })), 1, 'a usual one');
    t.equal(await spentBy(NETWORKS, heavy()), 2, '28 names');
    t.equal(await spentBy(HEAVY, heavy()), 4, '64 names');
  },
);

t.test('a second of the rate passes at once whatever it weighs, and what follows waits for it', async (t) => {
  for (const rate of [100, 250]) {
    const caller = await account({ rate, entries: HEAVY });
    const first = await take(caller, Array.from({ length: rate }, heavy));
    t.equal(first.account.rateLeft, 0);
    t.equal(first.account.rateWaitMicros, 3_000_000 + 1_000_000 / rate);
    const next = await admission.take(submission(caller));
    const isLater = next.state === 'granted' && next.nowMicros - first.nowMicros >= 3_000_000;
    t.ok(next.state === 'rate' || isLater, next.state);
  }
});
