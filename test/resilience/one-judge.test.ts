import type { ImpactReply } from '@verdict/contracts/dashboard/lists-api.js';
import type { BacktestReply, ShadowReportReply, TryPolicyReply } from '@verdict/contracts/policy.js';
import type { Rule as PolicyRule } from '@verdict/domain/policy/policy.js';
import { samplePolicies } from '@verdict/local-stack/arbitrary-policy.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { type HttpRequest, http } from '@verdict/local-stack/http.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t, { type Test } from 'tap';
import { besideRows } from '../harness/beside-rows.js';
import { type DocFacts, type DocListed, type DocOutcome, judgeByTheDocs } from './judge-by-the-docs.js';

/** 40 rounds are 5,000 checks and 200 policies. */
const ROUNDS = Number(process.env.JUDGE_ROUNDS ?? 1);
const SEED = Number(process.env.JUDGE_SEED ?? 7);
const POLICIES = 5;
const CHECKS = 25;
const HOUR_MICROS = 3_600_000_000;

const dns = await startDnsServer({
  'example.com': { mx: [[10, 'mail.example-corp.com']] },
  'mail.example.edu.au': { mx: [[10, 'mail.example-corp.com']] },
  'relay.example': { mx: [[10, 'mail.example-corp.com']] },
  'rotating.org': {
    mx: [
      [10, 'mx.decoy.org'],
      [20, 'mx2.rotating-hosts.net'],
    ],
  },
  'fresh-name.com': { mx: [[10, 'mx1.blocked-hosts.net']] },
  'mailinator.com': { mx: [[10, 'mail.example-corp.com']] },
});
const stack = await startStack({
  env: { gateway: { REQUESTS_PER_MINUTE: 1_000_000 }, all: { DNS_SERVERS: dns.address, BURSTS: 'on' } },
});
t.teardown(async () => {
  await stack.stop();
  await dns.close();
});
const [base = ''] = stack.baseUrls;

/** The same numbers for the same seed. */
function randomOf(seed: number) {
  let state = seed * 7_919 + 1;
  const below = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  return { pick: <T>(values: readonly T[]): T => values[below(values.length)] as T };
}

const LOCALS = ['ann', 'info', 'bob+1', 'bob+2', 'b.ob', 'user01', 'user02', 'x7k2q9', 'maria.keller'];
const DOMAINS = [
  'example.com',
  'mail.example.edu.au',
  'relay.example',
  'gmail.com',
  'mailinator.com',
  'duck.com',
  'rotating.org',
  'fresh-name.com',
];
const IPS = [
  null,
  '5.9.12.7',
  '5.9.12.8',
  '185.220.101.1',
  '::ffff:185.220.101.1',
  '8.8.8.8',
  '2001:4860:4860::8888',
  '192.0.2.1',
];
/** Entries of the account: the most specific one decides. */
const LISTS = [
  ['block', 'ann@example.com'],
  ['allow', 'example.com'],
  ['block', '185.220.101.0/24'],
  ['block', 'blocked-hosts.net', 'mx'],
] as const;
/** An IPv4 address is the same host where IPv6 maps it. */
const hostOf = (ip: string | null): string => (ip ?? '').replace('::ffff:', '');
function listedIn(email: string, ip: string | null): DocListed | null {
  if (email === 'ann@example.com') return { list: 'block' };
  if (email.endsWith('@example.com')) return { list: 'allow' };
  if (email.endsWith('@fresh-name.com')) return { list: 'block' };
  return hostOf(ip).startsWith('185.220.101.') ? { list: 'block' } : null;
}

const isOther = (email: string) => !email.endsWith('@example.com') && !email.endsWith('@fresh-name.com');
/** New entries, and the checks that each would decide beside those of the account. */
const ENTRIES: readonly ['allow' | 'block', string, (email: string, ip: string) => boolean, match?: 'mx'][] =
  [
    ['block', 'bob+1@example.com', (email) => email === 'bob+1@example.com'],
    ['block', 'example.com', (email) => email.endsWith('@example.com') && email !== 'ann@example.com'],
    ['allow', 'gmail.com', (email) => email.endsWith('@gmail.com')],
    ['allow', '185.220.101.1', (email, ip) => isOther(email) && ip === '185.220.101.1'],
    ['block', '5.9.0.0/16', (email, ip) => isOther(email) && ip.startsWith('5.9.')],
    ['allow', '185.220.0.0/16', () => false],
    // One server on the block list is enough, and the allow list has to name all of them.
    ['block', 'rotating-hosts.net', (email) => email.endsWith('@rotating.org'), 'mx'],
    ['allow', 'decoy.org', () => false, 'mx'],
    [
      'allow',
      'mail.example-corp.com',
      (email) => /@(mail\.example\.edu\.au|mailinator\.com)$/.test(email),
      'mx',
    ],
    ['allow', 'mx1.blocked-hosts.net', (email) => email.endsWith('@fresh-name.com'), 'mx'],
  ];

interface Factor {
  readonly code: string;
  readonly points: number;
}
interface Answer {
  readonly id: string;
  readonly email: string;
  readonly ip: string | null;
  readonly decision: string;
  readonly risk_score: number;
  readonly reasons: readonly string[];
  readonly created_at: string;
  readonly signals: Readonly<Record<string, unknown>> & {
    readonly seen: DocFacts['seen'];
    readonly mx: DocFacts['mx'];
    readonly ip?: DocFacts['ip'];
  };
  readonly breakdown: { readonly factors: readonly Factor[] };
}

const isOwn = ({ code }: Factor) => !code.startsWith('POLICY');
const sumOf = (factors: readonly Factor[]) => factors.reduce((sum, { points }) => sum + points, 0);
const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1);

function factsOf(answer: Answer, key: string | undefined): DocFacts {
  const own = answer.breakdown.factors.filter(isOwn);
  return {
    score: sumOf(own),
    codes: own.map(({ code }) => code),
    domain: domainOf(answer.email),
    key,
    signals: answer.signals,
    seen: answer.signals.seen,
    address: answer.ip,
    ip: answer.ip === null ? { kind: null } : (answer.signals.ip ?? {}),
    mx: answer.signals.mx,
    createdAt: answer.created_at,
  };
}

const shown = ({ decision, risk_score }: Pick<DocOutcome, 'decision' | 'risk_score'>) =>
  `${decision} ${risk_score}`;

async function customer() {
  const account = await stack.createAccount('scale');
  const { email, password } = account;
  const login = await http<{ access: string }>(`${base}auth/jwt/create/`, { json: { email, password } });
  const headers = { authorization: `Bearer ${login.body.access}` };
  const call = async <T>(path: string, request: HttpRequest = {}): Promise<T> => {
    const { status, body, text } = await http<T>(`${base}${path}`, { ...request, headers });
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
    return body as T;
  };
  const send = async <T>(path: string, json: unknown, once?: string): Promise<{ body: T; text: string }> => {
    const sent = { 'x-api-key': account.apiKey, ...(once && { 'idempotency-key': once }) };
    const { status, body, text } = await http<T>(`${base}${path}?expand=signals,breakdown`, {
      json,
      headers: sent,
    });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return { body, text };
  };
  await call('dashboard/settings/', { method: 'PATCH', json: { bursts: true, ip_intelligence: true } });
  for (const [list, value, match = 'exact'] of LISTS)
    await call(`lists/${list}/`, { json: match === 'mx' ? { mx: value } : { value } });
  return { account, call, send };
}

/** One account under several policies: everything that says was, would or now agrees with the judge of the docs. */
async function playRound(t: Test, round: number) {
  const { pick } = randomOf(SEED + round);
  const { account, call, send } = await customer();
  const ends = Date.now() * 1_000 + (round % 2 === 0 ? HOUR_MICROS : -HOUR_MICROS);
  const policies = samplePolicies(POLICIES, SEED + round, ends) as unknown as PolicyRule[][];
  for (const rules of policies) await call('policies/', { json: { rules } });
  const wrong: string[] = [];
  const counts: Record<string, number> = {};
  const compare = (
    who: string,
    got: Pick<DocOutcome, 'decision' | 'risk_score'>,
    want: DocOutcome,
    of: unknown,
  ) => {
    counts[who] = (counts[who] ?? 0) + 1;
    if (shown(got) !== shown(want))
      wrong.push(`${who}: ${shown(got)}, not ${shown(want)}: ${JSON.stringify(of)}`);
  };
  const answers: {
    answer: Pick<Answer, 'id' | 'email' | 'ip' | 'decision' | 'risk_score'>;
    facts: DocFacts;
    listed: DocListed | null;
    under: number;
    shadow: number;
  }[] = [];

  for (const [at, rules] of policies.entries()) {
    const shadow = (at + 1) % POLICIES;
    await call('policies/live/', { method: 'PUT', json: { version: at + 1, really: true } });
    await call('policies/shadow/', { method: 'PUT', json: { version: shadow + 1 } });
    const items = Array.from({ length: CHECKS }, () => ({
      email: `${pick(LOCALS)}@${pick(DOMAINS)}`,
      ip: pick(IPS),
    }));
    const single = items.slice(0, 15);
    for (const [i, item] of single.entries()) {
      const once = i < 5 ? `${round}-${at}-${i}` : undefined;
      const tried =
        i === 0
          ? await call<TryPolicyReply>('policies/try/', { json: { ...item, rules: policies[shadow] } })
          : null;
      const { body: answer, text } = await send<Answer>('check/', item, once);
      const facts = factsOf(answer, account.apiKeyId);
      const listed = listedIn(item.email, item.ip);
      compare('live', answer, judgeByTheDocs(facts, rules, listed), answer);
      if (once) {
        counts.replay = (counts.replay ?? 0) + 1;
        if ((await send('check/', item, once)).text !== text) wrong.push(`replay of ${text}`);
      }
      // A try has no key, so rules about it match nothing; the counts are those that the check then got.
      const keyless = { ...facts, key: undefined };
      if (tried) {
        compare('try before', tried.before, judgeByTheDocs(keyless, rules, listed), { item, facts });
        compare('try after', tried.after, judgeByTheDocs(keyless, policies[shadow] ?? [], listed), {
          item,
          facts,
        });
      }
      answers.push({ answer, facts, listed, under: at, shadow });
    }
    const { body: batch } = await send<{ results: { check: Answer }[] }>('check/batch/', {
      items: items.slice(15),
    });
    for (const { check: result } of batch.results) {
      const facts = factsOf(result, account.apiKeyId);
      const listed = listedIn(result.email, result.ip);
      compare('batch', result, judgeByTheDocs(facts, rules, listed), result);
      answers.push({ answer: result, facts, listed, under: at, shadow });
    }
    await stored(account.accountId, answers.length);
    for (const { answer } of answers.slice(-3)) {
      const evidence = await call<{ recomputed: DocOutcome | null }>(`dashboard/logs/${answer.id}/evidence/`);
      const { body: again } = await send<Answer>('check/', { email: answer.email, ip: answer.ip });
      const facts = factsOf(again, account.apiKeyId);
      const listed = listedIn(answer.email, answer.ip);
      const want = judgeByTheDocs(facts, rules, listed);
      compare('live', again, want, again);
      if (!evidence.recomputed) wrong.push(`now: nothing for ${answer.id}`);
      else compare('now', evidence.recomputed, want, again);
      answers.push({ answer: again, facts, listed, under: at, shadow });
    }
    await stored(account.accountId, answers.length);
    const report = (await call<ShadowReportReply>('policies/shadow/')).shadow;
    const own = answers.filter(({ under }) => under === at);
    const cells = cellsOf(
      own.map(({ answer, facts, listed }) => [
        answer.decision,
        judgeByTheDocs(facts, policies[shadow] ?? [], listed),
      ]),
    );
    counts.shadow = (counts.shadow ?? 0) + own.length;
    t.strictSame(sorted(report?.matrix ?? []), cells, `shadow of policy ${at + 1}`);

    // The rows of a file have neither an IP nor counts; the signals of the address are those of its check.
    const checked = new Map(own.map(({ answer, facts }) => [answer.email, facts]));
    const results = await resultsOf(call, account.apiKeyId, [...checked.keys()]);
    t.equal(results.length, checked.size, `every row of a file under policy ${at + 1}`);
    const logs = await Promise.all(results.map(({ log_id }) => logOf(log_id)));
    for (const [i, row] of results.entries()) {
      const { log_id: id, decision, risk_score } = row;
      const { email } = row.input;
      const { factors, createdAt } = logs[i] as Log;
      const facts: DocFacts = {
        ...(checked.get(email) as DocFacts),
        score: sumOf(factors.filter(isOwn)),
        codes: factors.filter(isOwn).map(({ code }) => code),
        seen: {},
        address: null,
        ip: { kind: null },
        createdAt,
      };
      const listed = listedIn(email, null);
      compare('bulk', row, judgeByTheDocs(facts, rules, listed), row);
      answers.push({
        answer: { id, email, ip: null, decision, risk_score },
        facts,
        listed,
        under: at,
        shadow,
      });
    }
  }

  const rows = await stack.sql<{ id: string; decision: string; risk_score: number; rule: string | null }>(
    `SELECT l.id, l.decision, l.risk_score::int, p.rules -> l.policy_rule::int ->> 'name' AS rule FROM check_logs l
     LEFT JOIN policies p ON p.account_id = l.account_id AND p.version = l.policy_version WHERE l.account_id = $1`,
    [account.accountId],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { answer, facts, listed, under } of answers) {
    const row = byId.get(answer.id);
    const want = judgeByTheDocs(facts, policies[under] ?? [], listed);
    compare('row', row ?? { decision: 'missing', risk_score: -1 }, want, answer);
    if ((row?.rule ?? null) !== want.rule)
      wrong.push(`row ${answer.id}: rule ${row?.rule}, not ${want.rule}`);
  }

  t.strictSame(
    await besideRows(
      stack.sql,
      answers.map(({ answer }) => answer),
    ),
    [],
    'every answer is its row',
  );

  const period = {
    from: new Date(Date.now() - 86_400_000).toISOString(),
    to: new Date(Date.now() + 86_400_000).toISOString(),
  };
  for (const [at, rules] of policies.entries()) {
    const { backtest } = await call<{ backtest: { id: string } }>(`policies/${at + 1}/backtest/`, {
      json: period,
    });
    const done = await eventually(async () => {
      const found = (await call<BacktestReply>(`policies/backtests/${backtest.id}/`)).backtest;
      return found.status === 'done' && found;
    });
    const outcomes = answers.map(
      ({ answer, facts, listed }) => [answer.decision, judgeByTheDocs(facts, rules, listed)] as const,
    );
    counts.backtest = (counts.backtest ?? 0) + answers.length;
    t.strictSame(sorted(done.matrix), cellsOf(outcomes), `backtest of policy ${at + 1}`);
    t.strictSame(Object.values(done.left_out), [0, 0, 0, 0, 0], 'nothing is left out');
    const hits = rules.map(
      ({ name }) =>
        outcomes.filter(([, { rule, watched }]) => rule === name || watched.includes(name)).length,
    );
    t.strictSame(
      done.hits.map(({ checks }) => checks),
      hits,
      `hits of policy ${at + 1}`,
    );
  }

  for (const [list, value, decides, match] of ENTRIES) {
    const own = answers.filter(({ answer }) => decides(answer.email, hostOf(answer.ip)));
    const { checks, changed } = await call<ImpactReply>(
      `lists/${list}/impact/?${match ?? 'value'}=${encodeURIComponent(value)}`,
    );
    counts.impact = (counts.impact ?? 0) + own.length;
    t.strictSame(
      [checks, changed],
      [own.length, own.filter(({ answer }) => answer.decision !== list).length],
      `impact of ${value}`,
    );
  }

  t.strictSame(wrong, [], 'nothing disagrees with the docs');
  t.comment(JSON.stringify(counts));
}

interface BulkResult {
  readonly input: { readonly email: string };
  readonly decision: string;
  readonly risk_score: number;
  readonly log_id: string;
}

/** The rows of a file of these addresses. */
async function resultsOf(
  call: <T>(path: string, request?: HttpRequest) => Promise<T>,
  keyId: string,
  emails: readonly string[],
): Promise<BulkResult[]> {
  const { job } = await call<{ job: { id: string } }>(`jobs/?start=auto&api_key_id=${keyId}`, {
    json: emails.map((email) => ({ email })),
  });
  await eventually(async () => {
    const { status } = (await call<{ job: { status: string } }>(`jobs/${job.id}/`)).job;
    return status === 'completed';
  });
  const { results } = await call<{ results: BulkResult[] }>(`jobs/${job.id}/results/?limit=100`);
  return results;
}

interface Log {
  readonly factors: readonly Factor[];
  readonly createdAt: string;
}

/** A check as it was logged. */
const logOf = (id: string): Promise<Log> =>
  eventually(async () => {
    const [row] = await stack.sql<Log>(
      `SELECT factors, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt"
       FROM check_logs WHERE id = $1`,
      [id],
    );
    return row;
  });

const stored = (accountId: string, checks: number) =>
  eventually(async () => {
    const [row] = await stack.sql<{ rows: number }>(
      'SELECT count(*)::int AS rows FROM check_logs WHERE account_id = $1',
      [accountId],
    );
    return row?.rows === checks;
  });

function cellsOf(outcomes: readonly (readonly [string, Pick<DocOutcome, 'decision'>])[]): string[] {
  const cells = new Map<string, number>();
  for (const [before, { decision }] of outcomes) {
    const name = `${before} ${decision}`;
    cells.set(name, (cells.get(name) ?? 0) + 1);
  }
  return [...cells].map(([name, checks]) => `${name} ${checks}`).sort();
}
const sorted = (matrix: readonly { before: string; after: string; checks: number }[]): string[] =>
  matrix.map(({ before, after, checks }) => `${before} ${after} ${checks}`).sort();

for (let round = 0; round < ROUNDS; round++) {
  t.test(`every place that judges agrees with a judge written from the docs, round ${round}`, (t) =>
    playRound(t, round),
  );
}
