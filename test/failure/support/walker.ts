import { setTimeout as delay } from 'node:timers/promises';
import { type HttpAnswer, type HttpRequest, http } from '@verdict/local-stack/http.js';
import type { SeededAccount } from '@verdict/local-stack/stack-view.js';
import { type Contents, type DocRules, expected, type WalkAnswer } from './oracle.js';
import { pick } from './seeded-random.js';

const DOMAINS = ['load.example', 'listed.example', 'other.example', 'mailinator.com'];
const DECISIONS = ['allow', 'challenge', 'review', 'block'];
const BATCH_SIZE = 3;
const PAUSE_AFTER_FAILURE_MS = 100;
/** Spellings of each mailbox: fewer than a check counts at most. */
const SPELLINGS = ['', '+a', '+b', '+c', '+d'];

interface Walk {
  readonly account: SeededAccount;
  readonly baseUrls: readonly string[];
  readonly random: () => number;
  /** Unique to the walk and its account. */
  readonly tag: string;
}

export type Walker = ReturnType<typeof createWalker>;

/**
 * A customer who does one thing after the other, chosen by lot, and knows what each answer has to be. A change counts from its
 * answer on, so a check that follows it must obey it at every gateway.
 */
export function createWalker({ account, baseUrls, random, tag }: Walk) {
  const journal: string[] = [];
  const wrong: string[] = [];
  const answers: WalkAnswer[] = [];
  /** Checks that were refused for good: they must have no row. */
  const refused: string[] = [];
  /** Checks whose sender got no answer, or one that does not say: they have a row or none. */
  const unknown = new Set<string>();
  const kept: { readonly once: string; readonly json: object; readonly text: string }[] = [];
  const lists = new Map<string, 'allow' | 'block'>();
  const entries = new Map<string, string>();
  const keys = [{ id: account.apiKeyId, value: account.apiKey }];
  const revoked: string[] = [];
  let rules: DocRules = [];
  let token = '';
  let next = 0;
  let quotaSeen = false;

  const base = () => pick(random, baseUrls);
  const note = (text: string) => journal.push(`${journal.length + 1} ${text}`);
  const fault = (text: string) => wrong.push(`step ${journal.length}: ${text}`);
  const contents = (key: string): Contents => ({ rules, lists: new Map(lists), key });

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
  async function logIn(): Promise<void> {
    const { email, password } = account;
    const reply = await http<{ access: string }>(`${base()}auth/jwt/create/`, {
      json: { email, password },
    }).catch(() => null);
    token = reply?.body?.access ?? token;
  }

  async function send(
    emails: readonly string[],
    key: { id: string; value: string },
    once?: string,
    at = base(),
  ) {
    const items = emails.map((email) => ({ email }));
    const json = emails.length > 1 ? { items } : (items[0] as object);
    const path = `check/${emails.length > 1 ? 'batch/' : ''}?expand=signals,breakdown`;
    const headers = { 'x-api-key': key.value, ...(once && { 'idempotency-key': once }) };
    const reply = await http<WalkAnswer & { results?: { check: WalkAnswer }[] }>(`${at}${path}`, {
      json,
      headers,
    }).catch(() => null);
    return {
      status: reply?.status ?? 0,
      text: reply?.text ?? '',
      json,
      checks: reply && checksOf(reply.body),
    };
  }
  const checksOf = (body: WalkAnswer & { results?: { check: WalkAnswer }[] }) =>
    body.results?.map(({ check }) => check) ?? [body];

  function take(
    emails: readonly string[],
    key: string,
    sent: Awaited<ReturnType<typeof send>>,
    isRepeat = false,
  ) {
    const { status, checks } = sent;
    if (status === 200) {
      for (const answer of checks ?? []) {
        const want = expected(answer, contents(key));
        if (answer.decision !== want.decision || answer.risk_score !== want.risk_score)
          fault(
            `${answer.email}: ${answer.decision} ${answer.risk_score}, not ${want.decision} ${want.risk_score}`,
          );
        if (!isRepeat) answers.push(answer);
      }
      for (const email of emails) unknown.delete(email);
    } else if (status === 0 || status >= 500) for (const email of emails) unknown.add(email);
    else {
      if (status === 429) quotaSeen = true;
      else fault(`${emails.join(' ')}: ${status} ${sent.text}`);
      if (!isRepeat) refused.push(...emails);
    }
    return status;
  }

  const freshEmail = () => {
    const number = next++;
    if (random() < 0.3)
      return `${tag}x${Math.floor(number / SPELLINGS.length)}${SPELLINGS[number % SPELLINGS.length]}@gmail.com`;
    return `${tag}-${number}@${pick(random, DOMAINS)}`;
  };

  const acts: readonly (readonly [number, () => Promise<void>])[] = [
    [
      10,
      async () => {
        const [email, key] = [freshEmail(), pick(random, keys)];
        note(`check ${email}`);
        if (take([email], key.id, await send([email], key)) !== 200) await delay(PAUSE_AFTER_FAILURE_MS);
      },
    ],
    [
      3,
      async () => {
        const emails = Array.from({ length: BATCH_SIZE }, freshEmail);
        const key = pick(random, keys);
        note(`batch ${emails.join(' ')}`);
        take(emails, key.id, await send(emails, key));
      },
    ],
    [
      4,
      async () => {
        const [emails, key, once] = [[freshEmail()], pick(random, keys), `${tag}-${next}`];
        note(`twins ${emails[0]}`);
        let first: string | null = null;
        for (;;) {
          const twins = await Promise.all(baseUrls.map((url) => send(emails, key, once, url)));
          for (const twin of twins) {
            take(emails, key.id, twin, first !== null);
            if (twin.status !== 200) continue;
            first ??= twin.text;
            if (twin.text !== first) fault(`${once}: another answer than the first: ${twin.text} ${first}`);
            for (const email of emails) unknown.delete(email);
          }
          if (twins.every(({ status }) => status !== 0 && status < 500)) break;
          await delay(PAUSE_AFTER_FAILURE_MS);
        }
        if (first !== null) kept.push({ once, json: { email: emails[0] }, text: first });
      },
    ],
    [
      2,
      async () => {
        const old = kept.length > 0 ? pick(random, kept) : null;
        if (!old) return;
        note(`replay ${old.once}`);
        const { email } = old.json as { email: string };
        const again = await send([email], pick(random, keys), old.once);
        if (again.status === 200 && again.text !== old.text)
          fault(`${old.once}: ${again.text}, not ${old.text}`);
      },
    ],
    [
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
    [
      2,
      async () => {
        if (rules.length > 0 && random() < 0.3) {
          note('no rules');
          await change('policies/live/', { method: 'PUT', json: { version: null } });
          rules = [];
          return;
        }
        const then = { [pick(random, ['at_least', 'at_most', 'exactly'])]: pick(random, DECISIONS) };
        const when = { all: [{ field: 'domain', op: 'eq', value: pick(random, DOMAINS) }] };
        const made = [{ name: `Rule ${next}`, when, then }];
        note(`live ${JSON.stringify(then)}`);
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
    [
      1,
      async () => {
        if (keys.length < 2) {
          note('new key');
          const { body } = await change<{ key: { id: string }; api_key: string }>('dashboard/keys/', {
            json: { name: `Key ${next}` },
          });
          keys.push({ id: body.key.id, value: body.api_key });
          return;
        }
        const [old] = keys.splice(1, 1);
        note(`revoke ${old?.id}`);
        await change(`dashboard/keys/${old?.id}/`, { method: 'DELETE' });
        const email = freshEmail();
        const { status } = await send([email], old as { id: string; value: string });
        revoked.push(email);
        if (status === 200) fault(`${email}: a revoked key was answered`);
      },
    ],
  ];
  const weights = acts.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));

  return {
    accountId: account.accountId,
    journal,
    wrong,
    answers,
    refused,
    revoked,
    unknown,
    isFull: () => quotaSeen,
    settings: (settings: object) => change('dashboard/settings/', { method: 'PATCH', json: settings }),
    step: () => pick(random, weights)(),
    /** One more check, whatever the lot says. */
    check: () => (acts[0] as (typeof acts)[number])[1](),
  };
}
