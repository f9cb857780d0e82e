import type { Socket } from 'node:net';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import type { TestStack } from '@verdict/local-stack/start-stack.js';
import type { Test } from 'tap';
import { say } from '../harness/raw-http.js';

/** The attack took every connection to the control plane for as long as it pleased; a login got no answer in 8 seconds. */
const UNFINISHED = 400;
const SLOW_READERS = 130;
/** Bodies that never end are given up after ten seconds anyway: until then the login must have its answer. */
const BEFORE_BODIES_END_MS = 8_000;
/** Readers who do not read were never given up; this only has to come. */
const AT_ALL_MS = 40_000;

export async function pinnedForwarding(t: Test, stack: TestStack): Promise<void> {
  const [base = ''] = stack.baseUrls;

  async function logIn(withinMs: number) {
    const { email, password } = stack;
    const answer = await fetch(`${base}auth/jwt/create/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
      signal: AbortSignal.timeout(withinMs),
    });
    return { status: answer.status, access: ((await answer.json()) as { access: string }).access };
  }

  const { access } = await logIn(AT_ALL_MS);

  t.test(`while ${UNFINISHED} clients never finish their bodies a login is answered`, async (t) => {
    const sockets: Socket[] = [];
    t.teardown(() => {
      for (const socket of sockets) socket.destroy();
    });
    const head = [
      'POST /api/v1/auth/jwt/create/ HTTP/1.1',
      'host: x',
      'content-type: application/json',
      'content-length: 60',
    ].join('\r\n');
    for (let i = 0; i < UNFINISHED; i++) sockets.push(await say(base, `${head}\r\n\r\n{`));
    t.equal((await logIn(BEFORE_BODIES_END_MS)).status, 200);
    t.equal(sockets.filter((socket) => !socket.destroyed).length, UNFINISHED, 'all of them were still at it');
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
    const sockets: Socket[] = [];
    t.teardown(() => {
      for (const socket of sockets) socket.destroy();
    });
    const ask = `GET /api/v1/dashboard/logs.csv HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${access}\r\n\r\n`;
    for (let i = 0; i < SLOW_READERS; i++) sockets.push((await say(base, ask)).pause());
    // Each is either being served or has been refused by now; none waits for another.
    await eventually(async () =>
      sockets.every((socket) => socket.readableLength > 0 || socket.bytesRead > 0),
    );
    t.equal((await logIn(AT_ALL_MS)).status, 200);

    const refused = await http<{ code: string }>(`${base}dashboard/logs.csv`, {
      headers: { authorization: `Bearer ${access}` },
    });
    t.equal(refused.status, 429, 'the account has its share of downloads');
    t.ok(refused.headers['retry-after']);
    t.equal(refused.body.code, 'too_many_requests');

    for (const socket of sockets) socket.destroy();
    await eventually(async () => {
      const again = await fetch(`${base}dashboard/logs.csv`, {
        headers: { authorization: `Bearer ${access}` },
      });
      await again.body?.cancel();
      return again.status === 200;
    });
    t.pass('who leaves gives its place back');
  });
}
