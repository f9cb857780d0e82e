import { createHmac } from 'node:crypto';
import t from 'tap';
import { verifyWebhook } from '../src/verify-webhook.js';

t.test('Headers and bytes do as well as plain objects and text', async (t) => {
  const secret = Buffer.from('0123456789abcdef0123456789abcdef');
  const at = 1_700_000_000;
  const body = '{"type":"quota.warning"}';
  const signature = createHmac('sha256', secret).update(`msg_1.${at}.${body}`).digest('base64');
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${signature}`,
  };
  const verify = (given: Headers | Record<string, string | string[]>) =>
    verifyWebhook(`whsec_${secret.toString('base64')}`, given, Buffer.from(body), { now: () => at * 1_000 });
  t.equal(await verify(new Headers(headers)), true);
  t.equal(await verify({ ...headers, 'webhook-id': ['msg_1'] }), true, 'as Node gives repeated ones');
  t.equal(await verify(new Headers({ ...headers, 'webhook-id': 'msg_2' })), false);
});
