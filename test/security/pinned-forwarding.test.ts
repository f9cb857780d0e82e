import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t, { type Test } from 'tap';
import { startHttpProxy } from '../harness/start-http-proxy.js';
import { say } from './raw-http.js';

/** The attack took every connection to the control plane for as long as it pleased; a login got no answer in 8 seconds. */
const UNFINISHED = 400;
const SLOW_READERS = 130;
/** Attackers time out after a while, and a slow machine may not finish a login before: then it begins again. */
const ATTEMPTS = 5;
/** Downloads that one account has at a time. */
const PER_ACCOUNT = 16;
const LOGIN = '/api/v1/auth/jwt/create/';
const DOWNLOAD = '/api/v1/dashboard/logs.csv';

const stack = await startStack({
  gateways: 0,
  env: { gateway: { REQUESTS_PER_MINUTE: 1_000_000 } },
});
t.teardown(() => stack.stop());
const upstream = await startHttpProxy(stack.controlPlane.url);
t.teardown(() => upstream.stop());
const gateway = await startService('gateway', {
  ...stack.environments.gateway,
  CONTROL_PLANE_URL: upstream.url,
});
t.teardown(() => gateway.stop());
const base = `${gateway.url}/api/v1/`;

async function logIn(): Promise<{ access: string; ms: number }> {
  const { email, password } = stack;
  const begun = performance.now();
  const { status, body, text } = await http<{ access: string }>(`${gateway.url}${LOGIN}`, {
    json: { email, password },
  });
  if (status !== 200) throw new Error(`the login was answered ${status}: ${text}`);
  return { access: body.access, ms: Math.round(performance.now() - begun) };
}

interface Attack {
  /** Whether the whole attack is still running. */
  holds(): boolean;
  end(): void;
}

/**
 * Logs in beside the attack. Only the order counts: the answer comes while the whole attack runs, so it waited for
 * none of it.
 */
async function logInBeside(t: Test, begin: () => Promise<Attack>): Promise<void> {
  const before = (await logIn()).ms;
  let isAnswered = false;
  for (let attempt = 0; attempt < ATTEMPTS && !isAnswered; attempt++) {
    const attack = await begin();
    const { ms } = await logIn();
    isAnswered = attack.holds();
    attack.end();
    t.comment(`a login took ${ms} ms beside the attack, ${before} ms before it`);
  }
  t.ok(isAnswered, 'the login was answered while the attack went on');
}

const { access } = await logIn();

t.test(`while ${UNFINISHED} clients never finish their bodies a login is answered`, async (t) => {
  const head = [
    `POST ${LOGIN} HTTP/1.1`,
    'host: x',
    'content-type: application/json',
    'content-length: 60',
  ].join('\r\n');
  const before = upstream.count(LOGIN);
  let logins = 1;
  await logInBeside(t, async () => {
    const sockets: Socket[] = [];
    const end = () => {
      for (const socket of sockets) socket.destroy();
    };
    t.teardown(end);
    for (let i = 0; i < UNFINISHED; i++) sockets.push(await say(base, `${head}\r\n\r\n{`));
    logins++;
    return { holds: () => sockets.every((socket) => !socket.destroyed), end };
  });
  // The cause: a place upstream is taken when a body is complete, and these never were.
  t.equal(upstream.count(LOGIN) - before, logins, 'nothing of theirs has reached the control plane');
});

t.test(`while ${SLOW_READERS} clients read no byte of a download a login is answered`, async (t) => {
  await stack.sql(
    `WITH made AS (
       INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at)
       SELECT 'log_' || lpad(n::text, 26, '0'), $1, $2, 'allow', 1,
         '{"disposable_email":false,"mx_valid":true,"free_provider":false}', '[]', 'a/b/c', 'req_x',
         now() - make_interval(secs => n / 1000.0)
       FROM generate_series(1, 60000) n RETURNING id, created_at
     )
     INSERT INTO check_subjects (id, account_id, email, domain, email_hash, ip, reasons, created_at)
     SELECT id, $1, 'someone@example.com', 'example.com', 'h', NULL, jsonb_build_array(repeat('reason ', 60)), created_at
     FROM made`,
    [stack.accountId, stack.apiKeyId],
  );
  const ask = `GET ${DOWNLOAD} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${access}\r\n\r\n`;
  let sockets: Socket[] = [];
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  t.teardown(end);
  const attack = async () => {
    sockets = [];
    for (let i = 0; i < SLOW_READERS; i++) sockets.push((await say(base, ask)).pause());
    // Each is either being served or has been refused by now; none waits for another.
    await eventually(async () =>
      sockets.every((socket) => socket.readableLength > 0 || socket.bytesRead > 0),
    );
    const served = upstream.underWay(DOWNLOAD);
    t.ok(served <= PER_ACCOUNT, `${served} of ${SLOW_READERS} are served`);
    return { holds: () => served > 0 && upstream.underWay(DOWNLOAD) === served, end };
  };
  await logInBeside(t, attack);
  await eventually(() => upstream.underWay(DOWNLOAD) === 0);

  let answers: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await attack();
    answers = sockets.map((socket) => String(socket.read()));
    // A machine that stalls for five seconds times out requests that it has not read yet.
    if (!answers.some((text) => /^HTTP\/1\.1 408/.test(text))) break;
    end();
    await eventually(() => upstream.underWay(DOWNLOAD) === 0);
  }
  const refused = answers.filter((text) => !/^HTTP\/1\.1 200/.test(text));
  t.ok(refused.length >= SLOW_READERS - PER_ACCOUNT, 'the account has its share of downloads');
  t.ok(refused.length < SLOW_READERS, 'and it has that share again when earlier readers have left');
  const isClear = (text: string) =>
    /^HTTP\/1\.1 429/.test(text) &&
    /^retry-after: \d+\r$/im.test(text) &&
    text.includes('"code":"too_many_requests"');
  t.strictSame(
    refused.filter((text) => !isClear(text)),
    [],
    'the rest is told that it was too many, and when to try again',
  );

  end();
  await eventually(async () => {
    const again = await fetch(`${base}dashboard/logs.csv`, {
      headers: { authorization: `Bearer ${access}` },
    });
    await again.body?.cancel();
    return again.status === 200;
  });
  t.pass('who leaves gives its place back');
});
