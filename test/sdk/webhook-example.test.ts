import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eventually } from '@verdict/local-stack/eventually.js';
import { freePort } from '@verdict/local-stack/free-port.js';
import { http } from '@verdict/local-stack/http.js';
import { type Certificates, makeCertificates } from '@verdict/local-stack/make-certificates.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { verifyWebhook } from '@verdict/sdk';
import { Webhook } from 'standardwebhooks';
import t, { type Test } from 'tap';

const isOpensslHere = spawnSync('openssl', ['version']).status === 0;
const certificates = isOpensslHere ? await makeCertificates() : null;
const stack = await startStack({
  // As an operator whose customers' servers have certificates of a company's own authority.
  env: { worker: certificates ? { NODE_EXTRA_CA_CERTS: certificates.certificate } : {} },
});
t.teardown(async () => {
  await stack.stop();
  await certificates?.remove();
});
const [base = ''] = stack.baseUrls;
const port = await freePort();
const url = `http://127.0.0.1:${port}/`;

const user = { email: 'example@example.com', password: 'vivid-otter-harbour-9' };
await http(`${base}auth/users/`, { json: user });
const { body: tokens } = await http<{ access: string }>(`${base}auth/jwt/create/`, { json: user });
const headers = { authorization: `Bearer ${tokens.access}` };
const { body: added } = await http<{ endpoint: { id: string }; secret: string }>(
  `${base}webhooks/endpoints/`,
  {
    json: { url },
    headers,
  },
);

/** The example of the README, as a user would run it. */
const example = spawn(process.execPath, [inRoot('dist/tools/packages.sdk.examples.webhook.js')], {
  env: { ...process.env, PORT: String(port), VERDICT_WEBHOOK_SECRET: added.secret },
});
t.teardown(() => example.kill());
let printed = '';
for (const stream of [example.stdout, example.stderr]) {
  stream.on('data', (chunk: Buffer) => {
    printed += chunk;
  });
}
const printedBy = (text: string | RegExp) =>
  eventually(() => (typeof text === 'string' ? printed.includes(text) : text.test(printed)) || null);

t.test('the example receives what happened, and verifies it', async (t) => {
  await printedBy('listening');
  const test = await http<{ delivery_id: string }>(`${base}webhooks/endpoints/${added.endpoint.id}/test/`, {
    method: 'POST',
    headers,
  });
  await printedBy('received webhook.test');
  const { body } = await http<{ key: { id: string } }>(`${base}dashboard/keys/`, {
    json: { name: 'k' },
    headers,
  });
  await printedBy(`received key.created {"key_id":"${body.key.id}"}`);
  const delivered = await eventually(async () => {
    const found = await http<{ delivery: { status: string } }>(
      `${base}webhooks/deliveries/${test.body.delivery_id}/`,
      { headers },
    );
    return found.body.delivery.status === 'delivered' && found.body;
  });
  t.match(delivered, { attempts: [{ response_status: 204, error: null }] });
  t.notMatch(printed, 'refused');
});

t.test('the example rejects a forged message, and takes a genuine one once', async (t) => {
  const body = JSON.stringify({ type: 'key.revoked', timestamp: '', data: { key_id: 'key_forged' } });
  const now = new Date();
  const signed = (secret: string, id: string) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  });
  const other = `whsec_${Buffer.from('somebody else entirely, 32 bytes').toString('base64')}`;
  t.equal((await http(url, { body, headers: signed(other, 'evt_1') })).status, 401);
  t.equal((await http(url, { body, headers: {} })).status, 401, 'and one without a signature');
  t.notMatch(printed, 'key_forged');
  for (let time = 0; time < 2; time++)
    t.equal((await http(url, { body, headers: signed(added.secret, 'evt_2') })).status, 204);
  await printedBy('key_forged');
  t.equal(printed.split('key_forged').length, 2, 'it is acted on once');
});

/** A customer's server over TLS; remembers what it could read. */
async function listenOverTls(t: Test, { certificate, key }: Certificates) {
  const read: { headers: NodeJS.Dict<string | string[]>; body: Buffer }[] = [];
  const files = { cert: await readFile(certificate), key: await readFile(key) };
  const server = createServer(files, async (request, response) => {
    read.push({ headers: request.headers, body: await buffer(request) });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, read };
}

/** The delivery log's entry for the first attempt of a test message. */
async function firstAttempt(url: string) {
  const { body: made } = await http<{ endpoint: { id: string }; secret: string }>(
    `${base}webhooks/endpoints/`,
    { json: { url, events: ['job.failed'] }, headers },
  );
  const { body: test } = await http<{ delivery_id: string }>(
    `${base}webhooks/endpoints/${made.endpoint.id}/test/`,
    { method: 'POST', headers },
  );
  const attempt = await eventually(async () => {
    const { body } = await http<{ attempts: { response_status: number | null; error: string | null }[] }>(
      `${base}webhooks/deliveries/${test.delivery_id}/`,
      { headers },
    );
    return body.attempts[0];
  });
  return { ...attempt, secret: made.secret };
}

t.test(
  'messages go over TLS to who can prove to be the one that the address names, and to nobody else',
  { skip: certificates ? false : 'certificates are made with openssl, which is not here' },
  async (t) => {
    if (!certificates) return;
    const known = await listenOverTls(t, certificates);
    const { secret, ...delivered } = await firstAttempt(`https://127.0.0.1:${known.port}/hooks`);
    t.match(delivered, { response_status: 200, error: null });
    const [message] = known.read;
    t.ok(message && (await verifyWebhook(secret, message.headers, message.body)));

    t.match(await firstAttempt(`https://localhost:${known.port}/`), {
      response_status: null,
      error: /^its certificate is for another name/,
    });
    const stranger = await makeCertificates();
    t.teardown(() => stranger.remove());
    const unknown = await listenOverTls(t, stranger);
    t.match(await firstAttempt(`https://127.0.0.1:${unknown.port}/`), {
      response_status: null,
      error: /^its certificate has an unknown issuer/,
    });
    t.equal(known.read.length, 1);
    t.equal(unknown.read.length, 0, 'whoever could not prove it was told nothing');
  },
);
