import type { CheckResult } from '@verdict/contracts/check-api.js';
import type { EvidenceReply } from '@verdict/contracts/dashboard/logs-api.js';
import type { TryPolicyReply } from '@verdict/contracts/policy.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { type HttpRequest, http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import t from 'tap';
import { type Answered, storedAsAnswered } from '../harness/beside-rows.js';

/** Each place that shows a check shows its row, although other rules are live by then. */
const stack = await openStack({ plan: 'ample' });
t.teardown(() => stack.stop());
const [base = ''] = stack.baseUrls;
const PATIENT = { withinMs: 120_000 };
const EMAIL = 'Jane.Doe@gmail.com';
const TAG = 'sign-up';
const ONCE = { 'idempotency-key': 'one-answer' };

const { email, password, apiKeyId } = stack;
const login = await http<{ access: string }>(`${base}auth/jwt/create/`, { json: { email, password } });
async function call<T>(path: string, request: HttpRequest = {}) {
  const headers = { authorization: `Bearer ${login.body.access}` };
  const { status, body, text } = await http<T>(`${base}${path}`, { ...request, headers });
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  return { body, text };
}
async function check(headers: Record<string, string> = {}): Promise<CheckResult> {
  const { status, body } = await stack.api<CheckResult>('check/', {
    json: { email: EMAIL, tag: TAG },
    headers,
  });
  if (status !== 200) throw new Error(`a check was answered with ${status}`);
  return body;
}
async function decideAll(version: number, exactly: string): Promise<void> {
  const when = { all: [{ field: 'score', op: 'gte', value: 0 }] };
  await call('policies/', { json: { rules: [{ name: `Everybody ${exactly}`, when, then: { exactly } }] } });
  await call('policies/live/', { method: 'PUT', json: { version, really: true } });
}
const decisions = (answers: readonly { readonly decision?: string | null | undefined }[]) => [
  ...new Set(answers.map(({ decision }) => decision)),
];

await call('webhooks/endpoints/', { json: { url: 'https://example.com/', events: ['check.blocked'] } });
await decideAll(1, 'block');
const first = await check(ONCE);

t.test(
  'a replay, a batch, a file, the log and a webhook show what was answered before the rules changed',
  async (t) => {
    const batch = await stack.api<{ results: { check: CheckResult }[] }>('check/batch/', {
      json: { items: [{ email: EMAIL }, { email: 'other@gmail.com', ip: '203.0.113.7' }] },
    });
    const { job } = (
      await call<{ job: { id: string } }>(`jobs/?start=auto&api_key_id=${apiKeyId}`, {
        json: [{ email: EMAIL }, { email: 'third@gmail.com' }],
      })
    ).body;
    await eventually(async () => {
      const { body } = await call<{ job: { status: string } }>(`jobs/${job.id}/`);
      return body.job.status === 'completed';
    }, PATIENT);
    await decideAll(2, 'review');

    const replay = await check(ONCE);
    const lines = (await call(`jobs/${job.id}/results.ndjson`)).text.trim().split('\n');
    const file = lines.map((line) => JSON.parse(line) as Answered & CheckResult);
    const answers = [first, ...batch.body.results.map((one) => one.check), ...file, replay];
    t.strictSame(await storedAsAnswered(stack.sql, answers), []);
    const { logs } = (await call<{ logs: CheckResult[] }>('dashboard/logs/?limit=100')).body;
    const { log } = (await call<{ log: CheckResult & { tag: string | null } }>(`dashboard/logs/${first.id}/`))
      .body;
    t.equal(logs.length, 5);
    t.equal(log.tag, TAG);
    t.strictSame(await storedAsAnswered(stack.sql, [...logs, log]), []);
    const events = await eventually(async () => {
      const found = await stack.sql<{ data: Answered }>(
        `SELECT data FROM webhook_events WHERE account_id = $1 AND type = 'check.blocked'`,
        [stack.accountId],
      );
      return found.length === 5 && found.map(({ data }) => data);
    }, PATIENT);
    t.strictSame(await storedAsAnswered(stack.sql, events), []);
    t.strictSame(decisions([...answers, ...logs, log]), ['block']);
  },
);

t.test('a try and the evidence of an older check say what the next check is stored as', async (t) => {
  const tried = (await call<TryPolicyReply>('policies/try/', { json: { email: EMAIL, rules: [] } })).body;
  const { recomputed } = (await call<EvidenceReply>(`dashboard/logs/${first.id}/evidence/`)).body;
  if (!recomputed) throw new Error('nothing was recomputed');
  const next = await check();
  const said = [tried.before, recomputed].map(({ decision, risk_score, factors }) => ({
    ...{ id: next.id, decision, risk_score },
    reasons: factors.map(({ reason }) => reason),
  }));
  t.strictSame(await storedAsAnswered(stack.sql, [next, ...said]), []);
  t.strictSame(decisions([next, ...said]), ['review']);
});
