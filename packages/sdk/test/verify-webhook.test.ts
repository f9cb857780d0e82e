import { createHmac } from 'node:crypto';
import t from 'tap';
import { verifyWebhook } from '../src/verify-webhook.js';

const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const AT = 1_700_000_000;
const now = () => AT * 1_000;
const BODY = '{"type":"quota.warning"}';

const sign = (secret: string, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`;

const headers = (signature: string, timestamp = AT) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
});
const genuine = sign(SECRET, 'msg_1', AT, BODY);

t.test('a genuine message passes, as text or bytes, with either kind of headers', async (t) => {
  t.equal(await verifyWebhook(SECRET, headers(genuine), BODY, { now }), true);
  t.equal(await verifyWebhook(SECRET, new Headers(headers(genuine)), Buffer.from(BODY), { now }), true);
});

t.test('while a secret is rolled, one good signature among several is enough', async (t) => {
  t.equal(await verifyWebhook(SECRET, headers(`v1,AAAA v2,x ${genuine}`), BODY, { now }), true);
});

t.test('a forged, changed, old or incomplete message does not pass', async (t) => {
  const other = `whsec_${Buffer.from('another secret').toString('base64')}`;
  const forged = sign(other, 'msg_1', AT, BODY);
  t.equal(await verifyWebhook(SECRET, headers(forged), BODY, { now }), false, 'signed by somebody else');
  t.equal(await verifyWebhook(SECRET, headers(genuine), `${BODY} `, { now }), false, 'body changed');
  t.equal(await verifyWebhook(SECRET, headers(genuine, AT + 1), BODY, { now }), false, 'time changed');
  t.equal(
    await verifyWebhook(SECRET, { ...headers(genuine), 'webhook-id': 'msg_2' }, BODY, { now }),
    false,
    'id changed',
  );
  const old = AT - 301;
  t.equal(
    await verifyWebhook(SECRET, headers(sign(SECRET, 'msg_1', old, BODY), old), BODY, { now }),
    false,
    'old',
  );
  t.equal(await verifyWebhook(SECRET, headers('v1,%%%'), BODY, { now }), false, 'not base64');
  t.equal(await verifyWebhook(SECRET, {}, BODY, { now }), false, 'no headers');
});

t.test('a secret that is none is the mistake of the receiver', async (t) => {
  await t.rejects(verifyWebhook('whsec_', headers(genuine), BODY, { now }), { name: 'TypeError' });
});
