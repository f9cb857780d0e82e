import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { CLERK, KRATOS, SUPABASE, WORKOS, WORKOS_INVITED } from '../../packages/domain/test/hook-payloads.js';
import { storedAsAnswered } from '../harness/beside-rows.js';

/** Two gateways, because a change must hold on both; scoring and Redis may take a minute, which a hook must not wait for. */
const stack = await startStack({
  gateways: 2,
  workers: 1,
  env: {
    gateway: {
      SCORING_DEADLINE_MS: 60_000,
      REDIS_TIMEOUT_MS: 60_000,
      HOOK_ANSWER_MS: 20_000,
      HOOK_CHECKS_PER_SECOND: 10_000,
    },
  },
});
t.teardown(() => stack.stop());
const [api = '', otherApi = ''] = stack.baseUrls;
const root = api.slice(0, api.indexOf('/api/'));
const PATIENT = { withinMs: 120_000 };
const MESSAGE = 'Please use another address.';
const DISPOSABLE = 'someone@mailinator.com';

type Body = Record<string, unknown>;
interface Hook {
  readonly id: string;
  readonly url: string;
}
interface Delivery {
  readonly outcome: string;
  readonly decision: string | null;
  readonly log_id: string | null;
  readonly replayed: boolean;
  readonly payload: Body;
  readonly answer: Body;
}

async function customer() {
  const account = await stack.createAccount('scale');
  const { email, password } = account;
  const login = await http<{ access: string }>(`${api}auth/jwt/create/`, { json: { email, password } });
  const headers = { authorization: `Bearer ${login.body.access}` };
  const call = <T = Body>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, json?: unknown) =>
    http<T>(`${api}${path}`, { method, headers, ...(json !== undefined && { json }) });
  const hook = async (kind: string, terms: Body = {}) => {
    const made = await call<{ hook: Hook; secret: string }>('POST', 'dashboard/hooks/', {
      kind,
      key_id: account.apiKeyId,
      message: MESSAGE,
      ...terms,
    });
    if (made.status !== 201) throw new Error(made.text);
    return { ...made.body.hook, secret: made.body.secret };
  };
  const test = async ({ id }: Hook, address: string) =>
    (await call<Signed>('POST', `dashboard/hooks/${id}/test/`, { email: address })).body;
  const deliveries = async ({ id }: Hook) =>
    (await call<{ deliveries: Delivery[] }>('GET', `dashboard/hooks/${id}/deliveries/`)).body.deliveries;
  const used = async () => {
    const { body } = await http<{ checks_used: number }>(`${api}usage/`, {
      headers: { 'x-api-key': account.apiKey },
    });
    return body.checks_used;
  };
  return { ...account, call, hook, test, deliveries, used };
}

interface Signed {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const send = ({ url, headers, body }: Signed, base = root) =>
  http<Body>(`${base}${url}`, { method: 'POST', headers, body });

/** A message as the library of Standard Webhooks signs it. */
function standard(
  { url, secret }: Hook & { secret: string },
  payload: object,
  id: string,
  at = new Date(),
): Signed {
  const body = JSON.stringify(payload);
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret.replace('v1,', '')).sign(id, at, body),
    },
  };
}

const one = await customer();

t.test(
  'Supabase: a disposable address is refused in its contract, a good one passes, both are checks',
  async (t) => {
    const hook = await one.hook('supabase');
    const before = await one.used();
    const to = (email: string) => ({ ...SUPABASE, user: { ...SUPABASE.user, email } });
    const refused = await send(standard(hook, to(DISPOSABLE), 'msg_refused'));
    t.match(refused, { status: 200, body: { error: { http_code: 403, message: MESSAGE } } });
    t.notOk(/mailinator|disposable|block/i.test(refused.text), 'says nothing about the reason');
    const allowed = await send(standard(hook, to('jane@gmail.com'), 'msg_allowed'));
    t.strictSame([allowed.status, allowed.body], [200, {}]);
    t.equal((await one.used()) - before, 2);
    const [newest, oldest] = await eventually(async () => {
      const found = await one.deliveries(hook);
      return found.length === 2 && found;
    });
    t.match([newest?.outcome, oldest?.outcome, oldest?.decision], ['allowed', 'refused', 'block']);
    t.match(oldest, {
      payload: { user: { email: 's***@mailinator.com' } },
      answer: { error: { http_code: 403 } },
    });
    const told = [newest, oldest].flatMap((one) =>
      one ? [{ log_id: one.log_id, decision: one.decision }] : [],
    );
    t.strictSame(await storedAsAnswered(stack.sql, told), [], 'deliveries are their rows');
    const log = await one.call('GET', `dashboard/logs/${oldest?.log_id}/`);
    t.match(log.body, { log: { key_id: one.apiKeyId } }, 'and the delivery names its log');
    t.match(log.body, { log: { tag: `hook:supabase:${hook.id}` } }, 'which names the hook');
  },
);

t.test('wrong, old, missing and foreign signatures and unknown hooks are the same 401', async (t) => {
  const hook = await one.hook('supabase');
  const foreign = await (await customer()).hook('supabase');
  const old = new Date(Date.now() - 3_600_000);
  const good = standard(hook, SUPABASE, 'msg_s');
  const wrong = [
    standard({ ...hook, secret: foreign.secret }, SUPABASE, 'msg_s'),
    { ...standard(hook, SUPABASE, 'msg_s', old) },
    { ...good, body: `${good.body} ` },
    { ...good, headers: { ...good.headers, 'webhook-id': 'msg_other' } },
    { ...good, headers: { 'content-type': 'application/json' } },
    { ...good, url: good.url.replace(hook.id, foreign.id) },
    { ...good, url: good.url.replace(hook.id, 'hok_01ARZ3NDEKTSV4RRFFQ69G5FAV') },
    { ...good, url: good.url.replace(hook.id, 'nothing') },
  ];
  const answers = [];
  for (const request of wrong) answers.push(await send(request));
  for (const { status, body } of answers)
    t.match({ status, body }, { status: 401, body: { code: 'invalid_signature' } });
  t.equal(new Set(answers.map(({ body }) => body.error)).size, 1);
  const twice = `v1,${Buffer.alloc(32).toString('base64')} ${good.headers['webhook-signature']}`;
  t.equal((await send({ ...good, headers: { ...good.headers, 'webhook-signature': twice } })).status, 200);
  t.equal(
    (await send({ ...good, body: '[]', ...resigned(hook, '[]') })).status,
    400,
    'signed, but no object',
  );
});

const resigned = ({ secret }: { secret: string }, body: string) => {
  const at = new Date();
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'msg_odd',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret.replace('v1,', '')).sign('msg_odd', at, body),
    },
  };
};

t.test('a thousand retries of one event, at both gateways, count once and answer alike', async (t) => {
  const hook = await one.hook('generic');
  const before = await one.used();
  const answers = new Set<string>();
  for (let round = 0; round < 50; round++) {
    const sent = Array.from({ length: 20 }, (_, i) =>
      send(
        standard(hook, { email: DISPOSABLE, ip: '203.0.113.9' }, 'msg_again'),
        i % 2 === 0 ? root : otherApi.slice(0, otherApi.indexOf('/api/')),
      ),
    );
    for (const { status, text } of await Promise.all(sent)) answers.add(`${status} ${text}`);
  }
  t.equal(answers.size, 1);
  t.match([...answers][0], /"refuse":true,"decision":"block","log_id":"log_/);
  t.equal((await one.used()) - before, 1);
  t.ok((await one.deliveries(hook)).every(({ replayed }, i, all) => replayed || i === all.length - 1));
  await one.call('DELETE', `dashboard/hooks/${hook.id}/`);
});

t.test('each kind answers its own test, signed as its provider signs, and five are the most', async (t) => {
  const two = await customer();
  const secrets: string[] = [];
  for (const [kind, refused] of [
    ['workos', { status: 200, body: { payload: { verdict: 'Deny', error_message: MESSAGE } } }],
    ['kratos', { status: 403, body: { messages: [{ messages: [{ text: MESSAGE }] }] } }],
    ['auth0', { status: 200, body: { refuse: true, message: MESSAGE } }],
    ['clerk', { status: 200, body: {} }],
    ['generic', { status: 200, body: { refuse: true, decision: 'block' } }],
  ] as const) {
    const hook = await two.hook(kind);
    secrets.push(hook.secret);
    t.match(await send(await two.test(hook, DISPOSABLE)), refused, `${kind} refuses`);
    const allowed = await send(await two.test(hook, 'jane@gmail.com'));
    t.equal(allowed.status, 200, kind);
    t.notOk(JSON.stringify(allowed.body).includes(MESSAGE), `${kind} allows`);
  }
  t.equal(await two.used(), 10);
  const { text } = await two.call('GET', 'dashboard/hooks/');
  t.notOk(
    secrets.some((secret) => text.includes(secret)),
    'a secret is shown once',
  );
  const sixth = await two.call('POST', 'dashboard/hooks/', { kind: 'supabase', key_id: two.apiKeyId });
  t.match(sixth, { status: 400, body: { error: /at most 5 sign-up hooks/ } });
});

t.test(
  'documented payloads by hand: an invitation passes unchecked, retries of other kinds count once',
  async (t) => {
    const two = await customer();
    const workos = await two.hook('workos');
    const sample = await two.test(workos, 'jane@gmail.com');
    const { createHmac } = await import('node:crypto');
    const asWorkos = (payload: object): Signed => {
      const body = JSON.stringify(payload);
      const at = Date.now();
      const signature = createHmac('sha256', workos.secret).update(`${at}.${body}`).digest('hex');
      return {
        ...sample,
        body,
        headers: { 'content-type': 'application/json', 'workos-signature': `t=${at}, v1=${signature}` },
      };
    };
    t.match((await send(asWorkos(WORKOS_INVITED))).body, { payload: { verdict: 'Allow' } });
    t.equal(await two.used(), 0);
    const disposable = { ...WORKOS, user_data: { ...WORKOS.user_data, email: DISPOSABLE } };
    for (let i = 0; i < 3; i++)
      t.match((await send(asWorkos(disposable))).body, {
        object: 'user_registration_action_response',
        payload: { verdict: 'Deny', error_message: MESSAGE },
      });
    t.equal(await two.used(), 1);
    const kratos = await two.hook('kratos');
    const headers = { 'content-type': 'application/json', authorization: kratos.secret };
    for (let i = 0; i < 3; i++) {
      const flow = { ...KRATOS, email: i === 2 ? 'jane@gmail.com' : DISPOSABLE };
      const answer = await send({ url: kratos.url, headers, body: JSON.stringify(flow) });
      t.equal(answer.status, i === 2 ? 200 : 403, 'a corrected address in the same flow is another check');
    }
    t.equal(await two.used(), 3);
    const clerk = await two.hook('clerk');
    const { headers: svix, ...rest } = standard(clerk, { ...CLERK, type: 'user.updated' }, 'msg_clerk');
    const renamed = Object.fromEntries(
      Object.entries(svix).map(([name, value]) => [name.replace('webhook-', 'svix-'), value]),
    );
    t.equal((await send({ ...rest, headers: renamed })).status, 200);
    t.equal(await two.used(), 3, 'other events are not checked');
  },
);

t.test('a change and a deletion hold on every gateway from the next request on', async (t) => {
  const two = await customer();
  const hook = await two.hook('generic');
  const path = `dashboard/hooks/${hook.id}/`;
  const bases = [root, otherApi.slice(0, otherApi.indexOf('/api/'))];
  let event = 0;
  const refusals = async () => {
    const answers = [];
    for (const base of bases)
      answers.push(await send(standard(hook, { email: 'support@gmail.com' }, `msg_c${event++}`), base));
    return answers;
  };
  await two.call('POST', 'lists/block/', { value: 'support@gmail.com' });
  t.ok((await refusals()).every(({ body }) => body.refuse === true));
  await two.call('PATCH', path, { refuse: ['review'] });
  t.ok((await refusals()).every(({ body }) => body.refuse === false && body.decision === 'block'));
  t.equal((await two.call('PATCH', path, { secret: 'whsec_tooshort' })).status, 400);
  t.equal((await two.call('PATCH', path, { key_id: 'key_01ARZ3NDEKTSV4RRFFQ69G5FAV' })).status, 400);
  t.equal((await one.call('PATCH', path, { on_error: 'refuse' })).status, 404, 'of another account');
  t.equal((await one.call('GET', `${path}deliveries/`)).status, 404);
  t.equal((await two.call('DELETE', path)).status, 200);
  t.ok((await refusals()).every(({ status }) => status === 401));
});

t.test('without a verdict the hook answers as it was told: quota, revoked key, scoring, Redis', async (t) => {
  const two = await customer();
  const open = await two.hook('supabase', { on_error: 'allow' });
  const closed = await two.hook('supabase', { on_error: 'refuse' });
  let event = 0;
  const both = async () => {
    const answers = await Promise.all(
      [open, closed].map((hook) => send(standard(hook, SUPABASE, `msg_e${event++}`))),
    );
    return answers.map(({ status, body }) => [status, 'error' in body]);
  };
  const FAILED = [
    [200, false],
    [200, true],
  ];
  const PASSED = [
    [200, false],
    [200, false],
  ];
  const pass = () => eventually(async () => String(await both()) === String(PASSED), PATIENT);
  await pass();

  stack.scorings[0]?.signal('SIGSTOP');
  // Both hang until the hooks are answered, so no answer waited for them; hook-limits.test.ts holds the two seconds.
  t.strictSame(await both(), FAILED, 'scoring hangs');
  stack.scorings[0]?.signal('SIGCONT');
  await pass();

  await stack.scorings[0]?.kill();
  t.strictSame(await both(), FAILED, 'scoring lost');
  await stack.scorings[0]?.restart();
  await pass();

  stack.redis.signal('SIGSTOP');
  t.strictSame(await both(), FAILED, 'Redis hangs');
  stack.redis.signal('SIGCONT');
  await pass();

  await stack.redis.kill();
  t.strictSame(await both(), FAILED, 'Redis lost');
  await stack.redis.restart();
  await pass();

  await eventually(async () => {
    await stack.redis.client.flushall();
    return true;
  });
  await pass();

  const path = `dashboard/keys/${two.apiKeyId}/`;
  t.equal((await two.call('PATCH', path, { monthly_quota: 1 })).status, 200);
  t.strictSame(await both(), FAILED, 'used-up quota');
  /** Noted after the answer, so it may come a moment later. */
  const newest = (outcome: string) =>
    eventually(async () => (await two.deliveries(closed))[0]?.outcome === outcome);
  t.ok(await newest('quota_exceeded'));
  t.equal((await two.call('PATCH', path, { monthly_quota: null })).status, 200);
  await pass();

  await two.call('DELETE', path);
  t.strictSame(await both(), FAILED, 'revoked key');
  t.ok(await newest('key_unusable'));
});

t.test('the Action for Auth0 and the body for Ory run as the guide prints them', async (t) => {
  const two = await customer();
  const guide = readFileSync(inRoot('docs/guides/hooks.md'), 'utf8');
  const block = (language: string) =>
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? '';
  const auth0 = await two.hook('auth0');
  const action: { onExecutePreUserRegistration?: (event: object, api: object) => Promise<void> } = {};
  // The Action gives up after the time that it passes here, and a busy machine is not the subject.
  const waits: number[] = [];
  const patient = {
    timeout(ms: number) {
      waits.push(ms);
      return new AbortController().signal;
    },
  };
  const load = new Function('exports', 'require', 'AbortSignal', block('js'));
  load(action, createRequire(import.meta.url), patient);
  const register = async (email: string, url = `${root}${auth0.url}`) => {
    const denied: string[] = [];
    await action.onExecutePreUserRegistration?.(
      {
        secrets: { VERDICT_URL: url, VERDICT_SECRET: auth0.secret },
        user: { email },
        request: { ip: '203.0.113.7' },
        connection: { name: 'Username-Password-Authentication', strategy: 'auth0' },
      },
      { access: { deny: (_code: string, message: string) => denied.push(message) } },
    );
    return denied;
  };
  t.strictSame(await register(DISPOSABLE), [MESSAGE]);
  t.strictSame(await register('jane@gmail.com'), []);
  t.strictSame(await register(DISPOSABLE, 'http://127.0.0.1:9/'), [], 'Verdict is away');
  t.strictSame(waits, [4_000, 4_000, 4_000], 'longer than a hook takes to answer');

  // The few words of Jsonnet that the page uses, as JavaScript.
  const jsonnet = block('jsonnet')
    .replace(/^function\(ctx\) \{/, '(ctx) => ({')
    .replace(/\}\s*$/, '})')
    .replace(/if std\.objectHas\(([^,]+), ('[^']+')\) then (.+?) else null/, '($2 in $1) ? $3 : null');
  const toBody = new Function(`return ${jsonnet}`)() as (ctx: object) => Body;
  const flow = (email: string, headers: object) =>
    toBody({ flow: { id: `flow-${email}` }, identity: { traits: { email } }, request_headers: headers });
  const kratos = await two.hook('kratos');
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${kratos.secret}` };
  const sent = flow(DISPOSABLE, { 'True-Client-Ip': ['203.0.113.7'] });
  t.strictSame(sent, { id: `flow-${DISPOSABLE}`, email: DISPOSABLE, ip: '203.0.113.7' });
  t.equal((await send({ url: kratos.url, headers, body: JSON.stringify(sent) })).status, 403);
  const good = JSON.stringify(flow('jane@gmail.com', {}));
  t.equal((await send({ url: kratos.url, headers, body: good })).status, 200);
});

t.test('a hook of one account is nobody else’s: neither its id nor its secret', async (t) => {
  const [two, three] = [await customer(), await customer()];
  const [own, other] = [await two.hook('generic'), await three.hook('generic')];
  const path = `dashboard/hooks/${own.id}/`;
  for (const [method, json] of [['GET'], ['PATCH', { message: 'x' }], ['DELETE']] as const)
    t.equal((await three.call(method, path, json)).status, 404, method);
  t.equal((await three.call('POST', `${path}test/`, { email: DISPOSABLE })).status, 404);
  t.equal((await three.call('GET', `${path}deliveries/`)).status, 404);
  const lists = { name: 'lists', scopes: ['lists'] };
  const narrow = await two.call<{ key: { id: string } }>('POST', 'dashboard/keys/', lists);
  for (const [method, at] of [
    ['POST', 'dashboard/hooks/'],
    ['PATCH', path],
  ] as const) {
    const terms = { key_id: narrow.body.key.id, ...(method === 'POST' && { kind: 'generic' }) };
    t.match(await two.call(method, at, terms), { status: 400, body: { errors: [{ field: 'key_id' }] } });
  }
  const keyOfTwo = { kind: 'generic', key_id: two.apiKeyId };
  t.equal((await three.call('POST', 'dashboard/hooks/', keyOfTwo)).status, 400, 'charged to a foreign key');
  const crossed = standard({ ...own, secret: other.secret }, { email: DISPOSABLE }, 'msg_crossed');
  t.equal((await send(crossed)).status, 401);
  t.equal((await send({ ...crossed, url: other.url })).status, 200, 'where that secret belongs');
  t.strictSame([await two.used(), await three.used()], [0, 1], 'and counts there');
});
