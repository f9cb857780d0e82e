import type { Verdict } from '@verdict/contracts/verdict.js';
import { localShape } from '@verdict/domain/address/local-shape.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { SEEN_MAX } from '@verdict/domain/burst-rules.js';
import type { Caller } from '@verdict/redis-store/step.js';
import t from 'tap';
import type { Candidate, Submission } from '../src/submission.js';
import { setUp, VERDICT } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { account, check, submission, gateway } = setting;

const ROUNDS = 60;
const TRACKED = 100_000;
const ACCOUNTS = 4;

/** Numbers by a seed, so that a failure can be repeated. */
function seeded(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
const random = seeded(20_261_118);
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;

const DOMAINS = ['gmail.com', 'one.example', 'two.example', 'sub.two.example'];

function anyCheck(): Candidate {
  const local = pick([`p${random(30)}`, `user${random(20)}`, `eve+${random(20)}`, `x${random(100_000)}y`]);
  const domain = random(3) === 0 ? `d${random(500)}.example` : pick(DOMAINS);
  const canonical = `${local}@${domain}`;
  const free = domain === 'gmail.com';
  const alias = mailboxOf({ canonical, domain }) !== canonical;
  const verdict: Verdict = {
    ...VERDICT,
    signals: { ...VERDICT.signals, free_provider: free },
    extra: { ...VERDICT.extra, alias },
  };
  const normalIp = pick(['', '198.51.100.7', `203.0.113.${random(256)}`, `2001:db8::${random(10)}`]);
  return check({ canonical, normalIp, ip: normalIp || null, verdict });
}

/** The counts of an account by the sentences of docs/scoring.md: distinct members with each thing, 16 at most. */
function createModel() {
  const things = new Map<string, Set<string>>();
  return ({ canonical, normalIp, verdict }: Candidate): (number | null)[] => {
    const domain = canonical.slice(canonical.lastIndexOf('@') + 1);
    const mailbox = mailboxOf({ canonical, domain }, verdict.extra.alias);
    const shape = localShape(mailbox.slice(0, mailbox.lastIndexOf('@')));
    const free = verdict.signals.free_provider;
    const household = normalIp.includes(':') ? '2001:db8::/64' : normalIp;
    const named = [
      [`mailbox ${mailbox}`, canonical],
      free ? null : [`domain ${domain}`, mailbox],
      free || shape === null ? null : [`shape ${shape}@${domain}`, mailbox],
      household === '' ? null : [`ip ${household}`, mailbox],
    ] as const;
    return named.map((one) => {
      if (!one) return null;
      const [name, member] = one;
      const seen = things.get(name) ?? new Set<string>();
      things.set(name, seen);
      // Sixteen of this hour leave no room for another.
      if (seen.size < SEEN_MAX) seen.add(member);
      return seen.size;
    });
  };
}

t.test('random batches of several accounts count what a model counts, refused groups nothing', async (t) => {
  const callers: Caller[] = [];
  for (let i = 0; i < ACCOUNTS; i++)
    callers.push(await account({ tracked: TRACKED, limit: i === 0 ? 150 : 100_000 }));
  const models = new Map(callers.map((caller) => [caller, createModel()]));
  const hour = () => Math.floor(Date.now() / 3_600_000);
  const startedIn = hour();
  const admission = gateway();
  let checked = 0;
  let refused = 0;
  const repeated = new Set<number | null>();
  for (let round = 0; round < ROUNDS; round++) {
    const sent: Submission[] = Array.from({ length: 1 + random(20) }, () =>
      submission(pick(callers), Array.from({ length: random(4) === 0 ? 1 + random(30) : 1 }, anyCheck)),
    );
    const outcomes = await Promise.all(sent.map((one) => admission.take(one)));
    for (const [i, outcome] of outcomes.entries()) {
      const { caller, checks } = sent[i] as Submission;
      if (outcome.state !== 'granted') {
        refused += 1;
        continue;
      }
      const expected = checks.map((one) => models.get(caller)?.(one));
      const counted = outcome.seen.map(({ counts }) => counts);
      if (JSON.stringify(counted) !== JSON.stringify(expected))
        t.strictSame(counted, expected, `round ${round}`);
      for (const count of counted.flat()) repeated.add(count);
      checked += checks.length;
    }
  }
  if (hour() !== startedIn) return t.comment('an hour began: what is full may change');
  t.ok(checked > 1_000 && refused > 10, `${checked} checks, ${refused} refused`);
  t.ok(
    [null, 1, 2, 3, 15, 16].every((count) => repeated.has(count)),
    [...repeated].join(),
  );
});
