import { setTimeout as delay } from 'node:timers/promises';
import { monthOf } from '@verdict/domain/month.js';
import { http } from '@verdict/local-stack/http.js';
import { pick, seededRandom } from '../support/seeded-random.js';
import { createDesk } from './desk.js';
import { type Contents, type DocRules, expected, tagOf, type WalkAnswer } from './oracle.js';
import { createSession, PAUSE_AFTER_FAILURE_MS } from './session.js';
import { PLANS, type World } from './world.js';

const DOMAINS = ['load.example', 'listed.example', 'other.example', 'mailinator.com'];
const DECISIONS = ['allow', 'challenge', 'review', 'block'];
/** Beyond the largest that a plan of the walk lets a customer set. */
const CAP_MAX = 500;
const PASSWORD = 'correct-horse-battery-staple';
const BATCH_SIZE = 3;
/** Sent to both gateways together. */
const VOLLEY_SIZE = 4;
/** An Idempotency-Key is good for so long. */
const REMEMBERED_MS = 86_400_000;
/** Spellings of each mailbox: fewer than a check counts at most. */
const SPELLINGS = ['', '+a', '+b', '+c', '+d'];

/** One thing that a customer does; its lot decides the rest, so that the step can be repeated in another walk. */
export interface Step {
  readonly act: string;
  readonly lot: number;
}

interface Key {
  readonly id: string;
  readonly value: string;
}

/** The answer to a new value of a key. */
interface Made {
  readonly api_key: string;
  readonly in_effect: boolean;
}

interface Sent {
  /** The month in which it was sent: a refusal that arrives after the turn is about the old one. */
  readonly month: string;
  readonly status: number;
  readonly text: string;
  readonly checks: readonly WalkAnswer[];
  readonly body: { readonly checks_used?: number; readonly checks_limit?: number };
}

export interface PlanChange {
  readonly plan: string;
  readonly ms: number;
}

export type Walker = Awaited<ReturnType<typeof createWalker>>;

/**
 * A customer who registers and then does one thing after the other, and knows what each answer has to be. A change counts
 * from its answer on, so a check that follows it must obey it at every gateway.
 */
export async function createWalker(world: World, tag: string, keeps: 'free' | 'basic' | null) {
  const { baseUrls } = world;
  const journal: string[] = [];
  const wrong: string[] = [];
  const answers: WalkAnswer[] = [];
  /** Checks that were refused for good: they must have no row. */
  const refused: string[] = [];
  /** Checks whose sender got no answer, or one that does not say: they have a row or none. */
  const unknown = new Set<string>();
  const kept: { readonly once: string; readonly email: string; readonly text: string; at: string }[] = [];
  const lists = new Map<string, 'allow' | 'block'>();
  const entries = new Map<string, string>();
  const keys: Key[] = [];
  let rules: DocRules = [];
  let next = 0;
  let fullIn = '';
  /** The cap that the customer set, for plans that bill overage. */
  let cap: number | null = null;
  /** The largest limit of the month so far. */
  let most = 0;
  /** Plans and when they became active; a downgrade waits for the next month. */
  const changes: PlanChange[] = [];
  let pending: string | null = null;
  /** A plan changed just when the month did, so either may be its month. */
  let isDoubtful = false;
  let month = monthOf(new Date(world.now()));
  let random = seededRandom(0);

  const base = () => pick(random, baseUrls);
  const note = (text: string) => journal.push(`${journal.length + 1} ${text}`);
  const fault = (text: string) => wrong.push(`step ${journal.length}: ${text}`);
  const contents = (key: string): Contents => ({ rules, lists: new Map(lists), key });
  const planNow = () => changes.at(-1)?.plan ?? 'free';
  /** By docs/billing.md: a cap holds for a plan that bills, between its quota and its own cap. */
  function limitNow(): number {
    const { overage, checksPerMonth = 0, checksLimit = 0 } = PLANS.get(planNow()) ?? {};
    return overage === 'bill' && cap !== null
      ? Math.min(Math.max(cap, checksPerMonth), checksLimit)
      : checksLimit;
  }
  /** True once the month has turned since the last look. */
  function turns(): boolean {
    const seen = monthOf(new Date(world.now()));
    if (seen === month) return false;
    month = seen;
    if (pending) changes.push({ plan: pending, ms: Date.parse(`${month}-01T00:00:00Z`) });
    pending = null;
    most = limitNow();
    return true;
  }

  const person = { email: `${tag}-${process.pid}-${Date.now()}@example.com`, password: PASSWORD };
  const owner = createSession(base, person);
  const change = owner.ask;
  const desk = createDesk({
    ...{ tag, person, owner, answers, base, note, fault },
    random: () => random(),
  });
  /** A value that was made while Redis was away works some seconds later, as its answer says. */
  async function effective(key: Key, { in_effect }: Made): Promise<Key> {
    while (!in_effect) {
      const headers = { 'x-api-key': key.value };
      const reply = await http(`${base()}status/`, { headers }).catch(() => null);
      if (reply && reply.status < 500 && reply.status !== 401 && reply.status !== 403) break;
      await delay(PAUSE_AFTER_FAILURE_MS);
    }
    return key;
  }
  async function makeKey(): Promise<Key> {
    for (;;) {
      const { body } = await change<Made & { key?: { id: string } }>('dashboard/keys/', {
        json: { name: `Key ${next++}` },
      });
      if (body.key) return effective({ id: body.key.id, value: body.api_key }, body);
      // A key whose answer was cut off still counts towards the limit.
      const { body: known } = await change<{ keys: { id: string; status: string }[] }>('dashboard/keys/', {});
      const lost = known.keys.filter(({ id }) => keys.every((key) => key.id !== id));
      for (const { id } of lost) await change(`dashboard/keys/${id}/`, { method: 'DELETE' });
    }
  }

  async function send(emails: readonly string[], key: Key, once?: string, at = base()): Promise<Sent> {
    const sentIn = monthOf(new Date(world.now()));
    const items = emails.map((email) => ({ email, tag: tagOf(email) }));
    const path = `check/${emails.length > 1 ? 'batch/' : ''}?expand=signals,breakdown`;
    const headers = { 'x-api-key': key.value, ...(once && { 'idempotency-key': once }) };
    const reply = await http<Sent['body'] & WalkAnswer & { results?: { check: WalkAnswer }[] }>(
      `${at}${path}`,
      { json: emails.length > 1 ? { items } : items[0], headers },
    ).catch(() => null);
    if (!reply) return { month: sentIn, status: 0, text: '', checks: [], body: {} };
    const { status, text, body } = reply;
    return { month: sentIn, status, text, body, checks: body.results?.map(({ check }) => check) ?? [body] };
  }
  function compare(answer: WalkAnswer, key: string): void {
    const want = expected(answer, contents(key));
    if (answer.decision !== want.decision || answer.risk_score !== want.risk_score)
      fault(
        `${answer.email}: ${answer.decision} ${answer.risk_score}, not ${want.decision} ${want.risk_score}`,
      );
  }
  /** A refusal for want of quota says the limit of the plan, and that it is used up. */
  function compareRefusal(size: number, { month: sentIn, body, text }: Sent): void {
    const { checks_used: used = -1, checks_limit: limit = -1 } = body;
    fullIn = sentIn;
    if (turns() || sentIn !== month || isDoubtful) return;
    // A cap may be set below what is used already.
    if (limit !== limitNow() || used > most || used + size <= limit)
      fault(`the limit is ${limitNow()}, and refused with ${text}`);
  }
  function take(emails: readonly string[], key: Key, sent: Sent): number {
    const { status } = sent;
    if (status === 200) {
      for (const answer of sent.checks) compare(answer, key.id);
      answers.push(...sent.checks);
    } else if (status === 0 || status >= 500) for (const email of emails) unknown.add(email);
    else {
      if (status === 429) compareRefusal(emails.length, sent);
      else fault(`${emails.join(' ')}: ${status} ${sent.text}`);
      refused.push(...emails);
    }
    return status;
  }
  const momentOf = ({ checks }: Sent): string => checks[0]?.created_at ?? '';
  const isForgotten = (ms: number) => world.now() - ms >= REMEMBERED_MS;
  const isMuchLater = (answer: WalkAnswer, at: string) =>
    Date.parse(answer.created_at) - Date.parse(at) >= REMEMBERED_MS;

  const freshEmail = () => {
    const number = next++;
    if (random() < 0.3)
      return `${tag}x${Math.floor(number / SPELLINGS.length)}${SPELLINGS[number % SPELLINGS.length]}@gmail.com`;
    return `${tag}-${number}@${pick(random, DOMAINS)}`;
  };
  /** A value that has ended must not be answered, and its check has no row. */
  async function mustRefuse(key: Key, why: string): Promise<void> {
    const email = freshEmail();
    const { status } = await send([email], key);
    refused.push(email);
    if (status === 200) fault(`${email}: a ${why} was answered`);
  }

  /** A month that was used up is not any more once more is allowed. */
  function allow(change: () => void): void {
    const before = limitNow();
    change();
    most = Math.max(most, limitNow());
    if (limitNow() > before) fullIn = '';
  }
  async function changePlan(plan: string): Promise<void> {
    note(`plan ${plan}, from ${planNow()}`);
    const { status, text } = await change('billing/subscription/', { method: 'PUT', json: { plan } });
    if (turns()) isDoubtful = true;
    if (status !== 200) fault(`plan ${plan}: ${status} ${text}`);
    const [price, now] = [plan, planNow()].map((name) => PLANS.get(name)?.priceMonth ?? 0) as [
      number,
      number,
    ];
    allow(() => {
      if (price > now) changes.push({ plan, ms: world.now() });
    });
    pending = price < now ? plan : null;
  }

  const acts: Readonly<Record<string, readonly [weight: number, () => Promise<void>]>> = {
    check: [
      10,
      async () => {
        const [email, key] = [freshEmail(), pick(random, keys)];
        note(`check ${email}`);
        if (take([email], key, await send([email], key)) !== 200) await delay(PAUSE_AFTER_FAILURE_MS);
      },
    ],
    batch: [
      3,
      async () => {
        const emails = Array.from({ length: BATCH_SIZE }, freshEmail);
        const key = pick(random, keys);
        note(`batch ${emails.join(' ')}`);
        take(emails, key, await send(emails, key));
      },
    ],
    volley: [
      2,
      async () => {
        const emails = Array.from({ length: VOLLEY_SIZE }, freshEmail);
        const key = pick(random, keys);
        note(`volley ${emails.join(' ')}`);
        const sent = await Promise.all(
          emails.map((email, i) => send([email], key, undefined, baseUrls[i % baseUrls.length])),
        );
        for (const [i, one] of sent.entries()) take([emails[i] as string], key, one);
      },
    ],
    twins: [
      4,
      async () => {
        const [email, key, once] = [freshEmail(), pick(random, keys), `${tag}-${next}`];
        note(`twins ${email}`);
        let first: { text: string; at: string } | null = null;
        let isUnclear = false;
        const begunMs = world.now();
        for (;;) {
          const sent = await Promise.all(baseUrls.map((url) => send([email], key, once, url)));
          // Where a clock jumps a day between them each is a new check, and either may be the older.
          const twins = sent.toSorted((a, b) => momentOf(a).localeCompare(momentOf(b)));
          for (const twin of twins) {
            const [answer] = twin.checks;
            if (twin.status === 200 && answer) {
              if (first === null || (twin.text !== first.text && isMuchLater(answer, first.at))) {
                take([email], key, twin);
                first = { text: twin.text, at: answer.created_at };
              } else if (twin.text !== first.text)
                fault(`${once}: another answer than the first: ${twin.text} ${first.text}`);
            } else if (twin.status === 0 || twin.status >= 500) isUnclear = true;
            else if (twin.status === 429) compareRefusal(1, twin);
            else fault(`${email}: ${twin.status} ${twin.text}`);
          }
          if (twins.every(({ status }) => status !== 0 && status < 500)) break;
          await delay(PAUSE_AFTER_FAILURE_MS);
        }
        if (isUnclear && (!first || isForgotten(begunMs))) unknown.add(email);
        if (first) kept.push({ once, email, ...first });
        else if (!isUnclear) refused.push(email);
      },
    ],
    replay: [
      2,
      async () => {
        const old = kept.length > 0 ? pick(random, kept) : null;
        if (!old) return;
        note(`replay ${old.once}`);
        const again = await send([old.email], pick(random, keys), old.once);
        const [answer] = again.checks;
        const isUnclear = again.status === 0 || again.status >= 500;
        if (isUnclear && isForgotten(Date.parse(old.at))) unknown.add(old.email);
        if (again.status !== 200 || !answer || again.text === old.text) return;
        if (!isMuchLater(answer, old.at)) fault(`${old.once}: ${again.text}, not ${old.text}`);
        answers.push(answer);
        Object.assign(old, { text: again.text, at: answer.created_at });
      },
    ],
    list: [
      2,
      async () => {
        const domain = pick(random, DOMAINS);
        const entry = entries.get(domain);
        const list = lists.get(domain);
        if (entry !== undefined && list) {
          note(`remove ${domain} from the ${list} list`);
          await change(`lists/${list}/${entry}/`, { method: 'DELETE' });
          entries.delete(domain);
          lists.delete(domain);
          return;
        }
        const chosen = pick(random, ['allow', 'block'] as const);
        note(`add ${domain} to the ${chosen} list`);
        await change(`lists/${chosen}/`, { json: { value: domain } });
        const { body } = await change<{ entries: { id: string; value: string }[] }>(
          `lists/${chosen}/?search=${domain}`,
          {},
        );
        entries.set(domain, body.entries.find(({ value }) => value === domain)?.id ?? '');
        lists.set(domain, chosen);
      },
    ],
    rules: [
      2,
      async () => {
        if (rules.length > 0 && random() < 0.3) {
          note('no rules');
          await change('policies/live/', { method: 'PUT', json: { version: null } });
          rules = [];
          return;
        }
        const then = { [pick(random, ['at_least', 'at_most', 'exactly'])]: pick(random, DECISIONS) };
        const domain = pick(random, DOMAINS);
        const made = [
          {
            name: `Rule ${next++}`,
            when:
              random() < 0.5
                ? { all: [{ field: 'domain', op: 'eq', value: domain }] }
                : { all: [{ field: 'key', op: 'eq', value: pick(random, keys).id }] },
            then,
          },
        ];
        note(`live ${JSON.stringify(made[0])}`);
        const { body } = await change<{ policy: { version: number } }>('policies/', {
          json: { rules: made },
        });
        await change('policies/live/', {
          method: 'PUT',
          json: { version: body.policy.version, really: true },
        });
        rules = made;
      },
    ],
    key: [
      1,
      async () => {
        const old = keys.length > 1 ? keys.splice(1, 1)[0] : undefined;
        if (!old) {
          note('new key');
          keys.push(await makeKey());
          return;
        }
        note(`revoke ${old.id}`);
        await change(`dashboard/keys/${old.id}/`, { method: 'DELETE' });
        await mustRefuse(old, 'revoked key');
      },
    ],
    roll: [
      1,
      async () => {
        const at = Math.floor(random() * keys.length);
        const old = keys[at] as Key;
        note(`roll ${old.id}`);
        const { body } = await change<Made>(`dashboard/keys/${old.id}/roll/`, {
          json: { overlap_seconds: 0 },
        });
        keys[at] = await effective({ id: old.id, value: body.api_key }, body);
        await mustRefuse(old, 'rolled value');
      },
    ],
    plan: [keeps ? 0 : 1, () => changePlan(pick(random, [...PLANS.keys()]))],
    cap: [
      1,
      async () => {
        const chosen = random() < 0.3 ? null : Math.floor(random() * CAP_MAX);
        note(`cap ${chosen}`);
        const json = { checks_cap: chosen, mail_at: [] };
        const { status, text } = await change('billing/spending/', { method: 'PUT', json });
        if (status !== 200) fault(`cap ${chosen}: ${status} ${text}`);
        allow(() => {
          cap = chosen;
        });
      },
    ],
    outcome: [2, desk.acts.outcome],
    review: [2, desk.acts.review],
    member: [1, desk.acts.member],
  };
  const weighted = Object.entries(acts).flatMap(([name, [weight]]) =>
    Array.from({ length: weight }, () => name),
  );

  async function register(): Promise<string> {
    for (;;) {
      const reply = await http(`${base()}auth/users/`, { json: person }).catch(() => null);
      if (reply && reply.status < 500 && reply.status !== 429) break;
      await delay(PAUSE_AFTER_FAILURE_MS);
    }
    changes.push({ plan: 'free', ms: world.now() });
    most = limitNow();
    keys.push(await makeKey());
    await change('dashboard/settings/', { method: 'PATCH', json: { bursts: true } });
    for (;;) {
      const [user] = await world
        .sql<{ id: string }>('SELECT account_id AS id FROM users WHERE email = $1', [person.email])
        .catch(() => []);
      if (user) return user.id;
      await delay(PAUSE_AFTER_FAILURE_MS);
    }
  }
  turns();
  const accountId = await register();
  if (keeps && keeps !== planNow()) await changePlan(keeps);

  return {
    accountId,
    tag,
    keeps,
    journal,
    wrong,
    answers,
    refused,
    unknown,
    changes,
    deskFaults: desk.faults,
    /** Whether a check was refused in the month that is, for want of quota. */
    isFull: () => fullIn === monthOf(new Date(world.now())),
    isDoubtful: () => isDoubtful,
    limit: limitNow,
    most: () => most,
    /** A step by lot. */
    drawn: (from: () => number): Step => ({ act: pick(from, weighted), lot: Math.floor(from() * 2 ** 31) }),
    async take({ act, lot }: Step): Promise<void> {
      random = seededRandom(lot);
      turns();
      await acts[act]?.[1]();
    },
  };
}
