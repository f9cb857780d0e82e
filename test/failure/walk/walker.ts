import { setTimeout as delay } from 'node:timers/promises';
import { monthOf } from '@verdict/domain/month.js';
import { type HttpAnswer, type HttpRequest, http } from '@verdict/local-stack/http.js';
import { pick, seededRandom } from '../support/seeded-random.js';
import { type Contents, type DocRules, expected, type WalkAnswer } from './oracle.js';
import { PLANS, type World } from './world.js';

const DOMAINS = ['load.example', 'listed.example', 'other.example', 'mailinator.com'];
const DECISIONS = ['allow', 'challenge', 'review', 'block'];
const PASSWORD = 'correct-horse-battery-staple';
const BATCH_SIZE = 3;
const PAUSE_AFTER_FAILURE_MS = 100;
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
export async function createWalker(world: World, tag: string, keepsPlan: boolean) {
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
  let token = '';
  let next = 0;
  let fullIn = '';
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
  const limitNow = () => PLANS.get(planNow())?.checksLimit ?? 0;
  /** True once the month has turned since the last look. */
  function turns(): boolean {
    const seen = monthOf(new Date(world.now()));
    if (seen === month) return false;
    month = seen;
    if (pending) changes.push({ plan: pending, ms: Date.parse(`${month}-01T00:00:00Z`) });
    pending = null;
    return true;
  }

  /** Repeats a change until it is answered: a service may be away. */
  async function change<T>(path: string, request: HttpRequest): Promise<HttpAnswer<T>> {
    for (;;) {
      const headers = { authorization: `Bearer ${token}` };
      const reply = await http<T>(`${base()}${path}`, { ...request, headers }).catch(() => null);
      if (reply?.status === 401) await logIn();
      else if (reply && reply.status < 500 && reply.status !== 429) return reply;
      await delay(PAUSE_AFTER_FAILURE_MS);
    }
  }
  const person = { email: `${tag}-${process.pid}-${Date.now()}@example.com`, password: PASSWORD };
  async function logIn(): Promise<void> {
    const reply = await http<{ access: string }>(`${base()}auth/jwt/create/`, { json: person }).catch(
      () => null,
    );
    token = reply?.body?.access ?? token;
  }
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
    const items = emails.map((email) => ({ email }));
    const path = `check/${emails.length > 1 ? 'batch/' : ''}?expand=signals,breakdown`;
    const headers = { 'x-api-key': key.value, ...(once && { 'idempotency-key': once }) };
    const reply = await http<Sent['body'] & WalkAnswer & { results?: { check: WalkAnswer }[] }>(
      `${at}${path}`,
      { json: emails.length > 1 ? { items } : items[0], headers },
    ).catch(() => null);
    if (!reply) return { status: 0, text: '', checks: [], body: {} };
    const { status, text, body } = reply;
    return { status, text, body, checks: body.results?.map(({ check }) => check) ?? [body] };
  }
  function compare(answer: WalkAnswer, key: string): void {
    const want = expected(answer, contents(key));
    if (answer.decision !== want.decision || answer.risk_score !== want.risk_score)
      fault(
        `${answer.email}: ${answer.decision} ${answer.risk_score}, not ${want.decision} ${want.risk_score}`,
      );
  }
  /** A refusal for want of quota says the limit of the plan, and that it is used up. */
  function compareRefusal(size: number, { body, text }: Sent): void {
    const { checks_used: used = -1, checks_limit: limit = -1 } = body;
    fullIn = month;
    if (turns() || isDoubtful) return;
    if (limit !== limitNow() || used > limit || used + size <= limit)
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
    twins: [
      4,
      async () => {
        const [email, key, once] = [freshEmail(), pick(random, keys), `${tag}-${next}`];
        note(`twins ${email}`);
        let first: { text: string; at: string } | null = null;
        let isUnclear = false;
        const begunMs = world.now();
        for (;;) {
          const twins = await Promise.all(baseUrls.map((url) => send([email], key, once, url)));
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
    plan: [
      keepsPlan ? 0 : 1,
      async () => {
        const plan = pick(random, [...PLANS.keys()]);
        note(`plan ${plan}, from ${planNow()}`);
        const { status, text } = await change('billing/subscription/', { method: 'PUT', json: { plan } });
        if (turns()) isDoubtful = true;
        if (status !== 200) fault(`plan ${plan}: ${status} ${text}`);
        const [price, now] = [plan, planNow()].map((name) => PLANS.get(name)?.priceMonth ?? 0) as [
          number,
          number,
        ];
        if (price > now) changes.push({ plan, ms: world.now() });
        pending = price < now ? plan : null;
      },
    ],
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

  return {
    accountId,
    tag,
    keepsPlan,
    journal,
    wrong,
    answers,
    refused,
    unknown,
    changes,
    /** Whether a check was refused in the month that is, for want of quota. */
    isFull: () => fullIn === monthOf(new Date(world.now())),
    isDoubtful: () => isDoubtful,
    limit: limitNow,
    /** A step by lot. */
    drawn: (from: () => number): Step => ({ act: pick(from, weighted), lot: Math.floor(from() * 2 ** 31) }),
    async take({ act, lot }: Step): Promise<void> {
      random = seededRandom(lot);
      turns();
      await acts[act]?.[1]();
    },
  };
}
