import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { eventually } from '@verdict/local-stack/eventually.js';
import { freePort } from '@verdict/local-stack/free-port.js';
import { http } from '@verdict/local-stack/http.js';
import type { TestStack } from '@verdict/local-stack/start-stack.js';
import { Webhook } from 'standardwebhooks';
import type { Test } from 'tap';
import { ROOT } from '../architecture/source-files.js';

/** The example of the README, as a user would run it. */
export async function webhookExample(t: Test, stack: TestStack): Promise<void> {
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

  const example = spawn(process.execPath, [join(ROOT, 'packages/sdk/dist/examples/webhook.js')], {
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
}
