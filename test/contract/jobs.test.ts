import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@verdict/local-stack/eventually.js';
import { type HttpRequest, http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import type { SeededAccount } from '@verdict/local-stack/stack-view.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { builtFile } from '@verdict/local-stack/test-lanes.js';
import { Verdict } from '@verdict/sdk';
import t, { type Test } from 'tap';
import { startProcess } from '../../scripts/lib/start-process.mjs';
import { type Answered, storedAsAnswered } from '../harness/beside-rows.js';

let answerSlow: () => void = () => undefined;
const after = new Promise<void>((resolve) => {
  answerSlow = resolve;
});
const stack = await openStack({ plan: 'ample' });
const dns = await startDnsServer({});
const slow = dns.nameOf('slow');
const gone = dns.nameOf('gone');
dns.zone[gone] = { behaviour: 'servfail' };
dns.zone[slow] = { mx: [[10, 'mail.example-corp.com']], after };
t.teardown(async () => {
  await stack.stop();
  await dns.close();
});
const [base = ''] = stack.baseUrls;

/** A machine may be slow, and the control plane counts requests. */
const PATIENT = { withinMs: 240_000, everyMs: 250 };

type Job = Record<string, unknown> & { id: string; status: string; done: number; distinct: number };
type Reply = { job: Job; jobs: Job[]; code: string; error: string };

const as =
  ({ apiKey }: Pick<SeededAccount, 'apiKey'>) =>
  <T = Reply>(path: string, { headers, ...request }: HttpRequest = {}) =>
    http<T>(`${base}${path}`, { ...request, headers: { 'x-api-key': apiKey, ...headers } });
const call = as(stack);
const csv = (body: string, query = ''): [string, HttpRequest] => [
  `jobs/${query}`,
  { method: 'POST', body, headers: { 'content-type': 'text/csv' } },
];

/** The job once it moves no more. */
const settled = (api: ReturnType<typeof as>, id: string) =>
  eventually(async () => {
    const { job } = (await api(`jobs/${id}/`)).body;
    if (['parsing', 'ready', 'running'].includes(job.status))
      throw new Error(`${job.status}, ${job.done} done`);
    return job;
  }, PATIENT);

const usedBy = async (api: ReturnType<typeof as>) =>
  (await api<{ checks_used: number }>('usage/')).body.checks_used;
const rowsOf = (job: string) =>
  stack.sql<{ id: string; key_id: string }>('SELECT id, key_id FROM check_logs WHERE request_id = $1', [job]);

/** Every row of the file shows the verdict that its check has in the log, and the log has no other. */
async function assertLogged(t: Test, api: ReturnType<typeof as>, id: string, checks: number): Promise<void> {
  const { text } = await api(`jobs/${id}/results.ndjson`);
  const shown = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answered);
  t.strictSame(await storedAsAnswered(stack.sql, shown), [], 'results and log agree');
  t.equal((await rowsOf(id)).length, checks);
}

/** A job that the quota paused, of an account that has a larger plan since. */
let paused: { readonly api: ReturnType<typeof as>; readonly id: string } | undefined;

t.test('when the quota ends the job pauses', async (t) => {
  const account = await stack.createAccount('seven');
  const api = as(account);
  const emails = Array.from({ length: 10 }, (_, i) => `p${i}@gmail.com`);
  const sent = (await api(...csv(`email\n${emails.join('\n')}\n`, '?start=auto'))).body.job;
  t.match(sent, { quote: { checks_needed: 10, quota_left: 7 } });
  t.match(await settled(api, sent.id), { status: 'paused', paused_because: 'quota', done: 7 });
  t.equal(await usedBy(api), 7, 'to the last check of the quota, and not one more');
  const login = await http<{ access: string }>(`${base}auth/jwt/create/`, {
    json: { email: account.email, password: account.password },
  });
  const upgraded = await http(`${base}billing/subscription/`, {
    method: 'PUT',
    json: { plan: 'roomy' },
    headers: { authorization: `Bearer ${login.body.access}` },
  });
  t.equal(upgraded.status, 200, upgraded.text);
  paused = { api, id: sent.id };
});

t.test(
  'a file runs to its end: every row back in its order, each distinct address counted once',
  async (t) => {
    const before = await usedBy(call);
    const file = [
      'id,E-Mail,note',
      '1,test@mailinator.com,=1+1',
      '2,jane@gmail.com,"a,b"',
      '3,JANE@GMAIL.COM,',
      '4,nobody,x',
      '5,joe@gmail.com,007',
      '6,test@mailinator.com,',
    ];
    const sent = await call(...csv(`${file.join('\r\n')}\r\n`, '?start=auto&name=people.csv'));
    t.equal(sent.status, 202, sent.text);
    t.match(sent.body, {
      success: true,
      job: { id: /^job_[0-9A-Z]{26}$/, rows: 6, distinct: 3, malformed: 1, duplicates: 2 },
    });
    const job = await settled(call, sent.body.job.id);
    t.match(job, {
      status: 'completed',
      done: 3,
      by_decision: { block: 1 },
      quote: null,
      considered: ['lists', 'policy'],
      seconds_left: null,
      paused_because: null,
      finished_at: String,
    });
    const { text, headers } = await call(`jobs/${job.id}/results.csv`);
    t.match(headers['content-type'], 'text/csv');
    const lines = text.trimEnd().split('\r\n');
    t.equal(
      lines[0],
      'id,E-Mail,note,decision,risk_score,disposable_email,mx_valid,free_provider,reasons,log_id,error',
    );
    t.match(lines[1], /^1,test@mailinator\.com,=1\+1,block,\d+,true,/, 'own cells are unchanged');
    t.match(lines[2], /^2,jane@gmail\.com,"a,b",allow,\d+,false,true,true,.*log_[0-9A-Z]{26},$/);
    t.match(lines[4], /^4,nobody,x,,,,,,,,an email address needs an @/);
    t.match(lines[5], /^5,joe@gmail\.com,007,allow/);
    const logId = (line: string | undefined) => /log_[0-9A-Z]{26}/.exec(line ?? '')?.[0];
    t.equal(logId(lines[3]), logId(lines[2]), 'a duplicate has the verdict of the first');
    t.equal(logId(lines[6]), logId(lines[1]));
    t.equal(await usedBy(call), before + 3);
    const rows = await eventually(async () => {
      const found = await rowsOf(job.id);
      if (found.length < 3) throw new Error(`${found.length} rows`);
      return found;
    });
    t.same(new Set(rows.map(({ id }) => id)), new Set([lines[1], lines[2], lines[5]].map(logId)));

    const filtered = await call<{ results: { row: number; input: object }[] }>(
      `jobs/${job.id}/results/?decision=block`,
    );
    t.match(filtered.body.results, [
      { row: 1, input: { id: '1', 'E-Mail': 'test@mailinator.com', note: '=1+1' } },
      { row: 6 },
    ]);
    const ndjson = await call(`jobs/${job.id}/results.ndjson`);
    t.same(
      ndjson.text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id),
      ['1', '2', '3', '4', '5', '6'],
    );
    t.match((await call('jobs/')).body.jobs, [{ id: job.id, name: 'people.csv' }]);
    t.equal((await call(`jobs/${job.id}/start/`, { method: 'POST' })).body.code, 'job_state');
    t.equal((await call(`jobs/${job.id}/`, { method: 'DELETE' })).status, 200);
    t.equal((await call(`jobs/${job.id}/`)).status, 404);
    t.equal(await usedBy(call), before + 3, 'what was checked stays counted');
  },
);

t.test('the account’s own lists have the last word in a job too', async (t) => {
  const account = await stack.createAccount('ample');
  const token = (
    await http<{ access: string }>(`${base}auth/jwt/create/`, {
      json: { email: account.email, password: account.password },
    })
  ).body.access;
  await http(`${base}lists/block/`, {
    json: { value: 'gmail.com' },
    headers: { authorization: `Bearer ${token}` },
  });
  const api = as(account);
  const { id } = (await api(...csv('email\njane@gmail.com\n', '?start=auto'))).body.job;
  t.match(await settled(api, id), { status: 'completed', by_decision: { block: 1 } });
  t.match((await api(`jobs/${id}/results.csv`)).text, 'on your block list');
});

t.test('a token may send a job too, when it names the key', async (t) => {
  const account = await stack.createAccount('ample');
  const login = await http<{ access: string }>(`${base}auth/jwt/create/`, {
    json: { email: account.email, password: account.password },
  });
  const headers = { authorization: `Bearer ${login.body.access}`, 'content-type': 'text/csv' };
  const send = (query: string) =>
    http<Reply>(`${base}jobs/${query}`, { method: 'POST', body: 'email\na@gmail.com\n', headers });
  t.match((await send('')).body, { code: 'invalid_request', error: /api_key_id/ });
  t.equal((await send(`?api_key_id=${stack.apiKeyId}`)).status, 403);
  t.equal((await send(`?api_key_id=${account.apiKeyId}`)).status, 202);
  t.equal((await http(`${base}jobs/`)).status, 401);
  const wrong = await http(`${base}jobs/`, {
    method: 'POST',
    body: 'email\n',
    headers: { 'content-type': 'text/csv', 'x-api-key': 'vrd_live_nonsense' },
  });
  t.equal(wrong.status, 401);
});

t.test('what DNS leaves unknown is asked again at the end, and not counted again', async (t) => {
  const account = await stack.createAccount('ample');
  const api = as(account);
  const { id } = (await api(...csv(`email\na@${slow}\nb@gmail.com\n`, '?start=auto'))).body.job;
  await eventually(async () => {
    const { job } = (await api(`jobs/${id}/`)).body;
    if (job.done < 2) throw new Error(`${job.done} done`);
    if (job.status === 'running') t.equal(job.unknown, 1);
    return true;
  }, PATIENT);
  answerSlow();
  t.match(await settled(api, id), { status: 'completed', unknown: 0 });
  t.match((await api(`jobs/${id}/results.ndjson`)).text, /"email":"a@slow[^\n]*"mx_valid":true/);
  t.equal(await usedBy(api), 2);
  await assertLogged(t, api, id, 2);
});

t.test('what DNS denies in the end is logged as the file shows it, and told as blocked', async (t) => {
  const account = await stack.createAccount('ample');
  const api = as(account);
  const login = await http<{ access: string }>(`${base}auth/jwt/create/`, {
    json: { email: account.email, password: account.password },
  });
  const added = await http(`${base}webhooks/endpoints/`, {
    json: { url: 'https://example.com/', events: ['check.blocked'] },
    headers: { authorization: `Bearer ${login.body.access}` },
  });
  t.equal(added.status, 201, added.text);
  const emails = ['one@with-mx.example-corp.com', `two@${gone}`, 'three@gmail.com'];
  const { id } = (await api(...csv(`email\n${emails.join('\n')}\n`, '?start=auto'))).body.job;
  await eventually(async () => (await api(`jobs/${id}/`)).body.job.done === 3, PATIENT);
  dns.zone[gone] = { mx: [[0, '']] };
  t.match(await settled(api, id), { status: 'completed', unknown: 0, by_decision: { block: 1 } });
  await assertLogged(t, api, id, 3);
  t.equal(await usedBy(api), 3);
  const [event, ...more] = await eventually(async () => {
    const events = await stack.sql<{ data: Answered }>(
      `SELECT data FROM webhook_events WHERE account_id = $1 AND type = 'check.blocked'`,
      [account.accountId],
    );
    return events.length > 0 && events;
  }, PATIENT);
  t.strictSame(await storedAsAnswered(stack.sql, event ? [event.data] : []), [], 'as the message says');
  t.equal(more.length, 0);
  const [usage] = await stack.sql<{ blocked: number }>(
    `SELECT coalesce(sum(checks) FILTER (WHERE decision = 'block'), 0)::int AS blocked FROM usage_hourly WHERE account_id = $1`,
    [account.accountId],
  );
  t.equal(usage?.blocked, 1, 'and billed by the decision that the file shows');
});

t.test('a key that is switched off pauses its job', async (t) => {
  const account = await stack.createAccount('roomy');
  const api = as(account);
  const { id } = (await api(...csv('email\na@gmail.com\n'))).body.job;
  const login = await http<{ access: string }>(`${base}auth/jwt/create/`, {
    json: { email: account.email, password: account.password },
  });
  const authorization = `Bearer ${login.body.access}`;
  const change = (active: boolean) =>
    http(`${base}dashboard/keys/${account.apiKeyId}/`, {
      method: 'PATCH',
      json: { active },
      headers: { authorization },
    });
  await change(false);
  const by = (path: string, method: 'GET' | 'POST' = 'GET') =>
    http<Reply>(`${base}jobs/${path}`, { method, headers: { authorization } });
  t.equal((await by(`${id}/start/`, 'POST')).status, 200);
  await eventually(async () => {
    const { job } = (await by(`${id}/`)).body;
    if (job.status !== 'paused') throw new Error(job.status);
    t.match(job, { paused_because: 'key_inactive', done: 0 });
    return true;
  }, PATIENT);
  await change(true);
  t.equal((await by(`${id}/start/`, 'POST')).status, 200);
  t.match(await settled(api, id), { status: 'completed', done: 1 });
});

t.test('the client sends, waits and reads', async (t) => {
  const verdict = new Verdict({
    apiKey: stack.apiKey,
    baseUrl: base,
    timeoutMs: 30_000,
    deadlineMs: 60_000,
  });
  const rows = Array.from({ length: 1_200 }, (_, i) => ({ email: `sdk-${i}@gmail.com`, n: i }));
  const job = await verdict.jobs.create(rows, { start: true, name: 'rows' });
  const seen: number[] = [];
  const done = await verdict.jobs.wait(job.id, {
    intervalMs: 200,
    onProgress: (each) => seen.push(each.done),
  });
  t.match(done, { status: 'completed', rows: 1_200, done: 1_200 });
  t.same(
    [...seen].sort((a, b) => a - b),
    seen,
    'progress only ever rises',
  );
  let at = 0;
  for await (const { row, input, decision } of verdict.jobs.results(job.id)) {
    if (row !== at + 1 || input.n !== at || decision !== 'allow') t.fail(`row ${row}`);
    at++;
  }
  t.equal(at, 1_200);
  t.ok((await verdict.jobs.list()).some(({ id }) => id === job.id));
  await verdict.jobs.remove(job.id);
  await t.rejects(verdict.jobs.get(job.id), { code: 'not_found' });
  const broken = verdict.jobs.create('a,b\n1,2\n');
  await t.rejects(broken, { code: 'no_email_column', errors: [{ field: 'column', message: /"a", "b"/ }] });
});

t.test('verdict-check takes a file there and back, and goes on by the id of its job', async (t) => {
  const folder = t.testdir({ 'in.csv': 'email;city\ncli-1@gmail.com;Rome\ncli-2@gmail.com;Oslo\n' });
  const verdict = (...args: string[]) => {
    const entry = builtFile('packages/sdk/src/cli/verdict-check.ts');
    const env = { PATH: process.env.PATH, VERDICT_URL: base, VERDICT_API_KEY: stack.apiKey };
    return startProcess(process.execPath, [entry, ...args], env);
  };
  const out = join(folder, 'out.csv');
  const first = verdict('--file', join(folder, 'in.csv'), '--out', out);
  t.equal((await first.exited).code, 0, first.output());
  const written = await readFile(out, 'utf8');
  t.match(written, /^email;city;decision;.*\r\ncli-1@gmail\.com;Rome;allow;/);
  const id = /job_[0-9A-Z]{26}/.exec(first.output())?.[0] ?? '';
  const again = join(folder, 'again.ndjson');
  const second = verdict('--job', id, '--out', again);
  t.equal((await second.exited).code, 0, second.output());
  t.equal((await readFile(again, 'utf8')).trim().split('\n').length, 2);
  const codes = await Promise.all([
    verdict('--file', join(folder, 'nowhere.csv')).exited,
    verdict('--nonsense').exited,
    verdict('--job', 'job_00000000000000000000000000').exited,
  ]);
  t.strictSame(
    codes.map(({ code }) => code),
    [2, 2, 1],
  );
});

t.test('a body of any size is passed on as it arrives, up to what the plan takes', async (t) => {
  const line = `${'x'.repeat(1_000)}`;
  const file = `email,pad\n${Array.from({ length: 9_000 }, (_, i) => `big-${i}@gmail.com,${line}`).join('\n')}\n`;
  const sent = await call(...csv(file));
  t.equal(sent.status, 202, sent.text.slice(0, 200));
  t.match(sent.body.job, { status: 'parsing', phase: 'parsing' });
  const parsed = await eventually(async () => {
    const { job } = (await call(`jobs/${sent.body.job.id}/`)).body;
    return job.status !== 'parsing' && job;
  }, PATIENT);
  t.match(parsed, { status: 'ready', rows: 9_000, distinct: 9_000 });
  t.equal((await call(`jobs/${sent.body.job.id}/`, { method: 'DELETE' })).status, 200);
  const beyond = await call(...csv(`email\n${'a@gmail.com\n'.repeat(10_001)}`));
  t.match([beyond.status, beyond.body], [413, { code: 'too_many_rows' }]);
  const early = await call(...csv(`a,b\n${'1,2\n'.repeat(4_000_000)}`));
  t.match([early.status, early.body], [400, { code: 'no_email_column' }], 'an answer in the middle is read');
});

// The last one: workers look for paused jobs once a minute, and the others have run meanwhile.
t.test('a job that the quota paused goes on by itself on a larger plan', async (t) => {
  if (!paused) throw new Error('no job was paused');
  const { api, id } = paused;
  const done = await eventually(async () => {
    const { job } = (await api(`jobs/${id}/`)).body;
    if (job.status !== 'completed') throw new Error(job.status);
    return job;
  }, PATIENT);
  t.match(done, { done: 10, paused_because: null });
  t.equal(await usedBy(api), 10);
});
