import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';

/** As it is deployed: nothing inside is allowed but one host that the operator named. */
const stack = await startStack({
  env: { all: { WEBHOOK_LOOPBACK: 'never', WEBHOOK_PRIVATE_HOSTS: 'hooks.inside.example,10.1.2.3' } },
});
t.teardown(() => stack.stop());
const [base = ''] = stack.baseUrls;

const inner = createServer((_request, response) => void response.end('a secret of the inside'));
let reached = 0;
inner.on('connection', () => reached++);
inner.listen(0, '127.0.0.1');
await once(inner, 'listening');
t.teardown(() => void inner.close());
const { port } = inner.address() as AddressInfo;

const user = { email: 'webhooks@example.com', password: 'vivid-otter-harbour-9' };
await http(`${base}auth/users/`, { json: user });
const { body: tokens } = await http<{ access: string }>(`${base}auth/jwt/create/`, { json: user });
const headers = { authorization: `Bearer ${tokens.access}` };
const add = (url: string) =>
  http<{ endpoint: { id: string } }>(`${base}webhooks/endpoints/`, { json: { url }, headers });

/** Ways inwards that have worked elsewhere. Every one of them is refused before anything is looked up. */
const BYPASSES: Readonly<Record<string, string>> = {
  'plain http': 'http://example.com/',
  'another scheme': 'ftp://example.com/',
  'a file': 'file:///etc/passwd',
  'no scheme': '//example.com/',
  'a script': 'javascript:alert(1)',
  'a user': 'https://user@example.com/',
  'a user and a password': 'https://user:password@example.com/',
  'a host as user': `https://example.com@127.0.0.1:${port}/`,
  'a fragment': 'https://example.com/#@127.0.0.1/',
  loopback: `https://127.0.0.1:${port}/`,
  'loopback without TLS': `http://127.0.0.1:${port}/`,
  'the rest of loopback': 'https://127.255.255.254/',
  'a decimal address': 'https://2130706433/',
  'an octal address': 'https://0177.0.0.1/',
  'a hexadecimal address': 'https://0x7f000001/',
  'a short address': 'https://127.1/',
  'a mixed address': 'https://0x7f.1/',
  'an address with a dot at the end': 'https://127.0.0.1./',
  'full-width digits': 'https://１２７.０.０.１/',
  'circled digits': 'https://①②⑦.⓪.⓪.①/',
  'an ideographic full stop': 'https://127。0。0。1/',
  'percent signs': 'https://%31%32%37.0.0.1/',
  'the unspecified address': 'https://0.0.0.0/',
  'this network': 'https://0.1.2.3/',
  localhost: 'https://localhost/',
  'localhost in capitals': 'https://LOCALHOST/',
  'localhost with a dot': 'https://localhost./',
  'localhost in other letters': 'https://ⓛocalhost/',
  'a name below localhost': 'https://any.localhost/',
  'a bare name': 'https://redis/',
  'a name of a cluster': 'https://control-plane.verdict.svc.cluster.local/',
  'a name of a cloud': 'https://metadata.google.internal/',
  'a private host that nobody named': 'https://10.1.2.4/',
  'another private range': 'https://172.16.0.1/',
  'a third one': 'https://192.168.1.1/',
  'a shared range': 'https://100.64.0.1/',
  'link-local': 'https://169.254.1.1/',
  'metadata of most clouds': 'https://169.254.169.254/latest/meta-data/',
  'the same in decimal': 'https://2852039166/',
  'metadata in a shared range': 'https://100.100.100.200/',
  'metadata at a public address': 'https://168.63.129.16/',
  'metadata in a reserved range': 'https://192.0.0.192/',
  multicast: 'https://224.0.0.1/',
  broadcast: 'https://255.255.255.255/',
  'an example range': 'https://192.0.2.1/',
  'loopback of IPv6': 'https://[::1]/',
  'the unspecified address of IPv6': 'https://[::]/',
  'loopback mapped to IPv6': 'https://[::ffff:127.0.0.1]/',
  'the same in hexadecimal': 'https://[::ffff:7f00:1]/',
  'a public address mapped to IPv6': 'https://[::ffff:8.8.8.8]/',
  'loopback in the form of long ago': 'https://[::127.0.0.1]/',
  'loopback behind NAT64': 'https://[64:ff9b::7f00:1]/',
  'loopback behind 6to4': 'https://[2002:7f00:1::]/',
  'loopback behind Teredo': 'https://[2001:0:7f00:1::]/',
  'a unique local address': 'https://[fd12:3456::1]/',
  'link-local of IPv6': 'https://[fe80::1]/',
  'metadata of IPv6': 'https://[fd00:ec2::254]/',
  'documentation of IPv6': 'https://[2001:db8::1]/',
  'more than an address': `https://example.com/${'x'.repeat(2_100)}`,
};

t.test('no known way inwards is taken as an endpoint', async (t) => {
  for (const [name, url] of Object.entries(BYPASSES)) {
    const { status, body } = await add(url);
    t.equal(status, 400, `${name}: ${url.slice(0, 60)}`);
    t.match(body, { code: 'invalid_request', error: /^url/ }, name);
  }
});

t.test('what lies outside is taken, and inside what the operator named', async (t) => {
  for (const url of [
    'https://example.com/hooks',
    'https://bücher.example.org:8443/',
    'http://hooks.inside.example/',
    'http://10.1.2.3:8080/',
  ]) {
    const { status, body } = await add(url);
    t.equal(status, 201, url);
    await http(`${base}webhooks/endpoints/${body.endpoint.id}/`, { method: 'DELETE', headers });
  }
});

t.test('an endpoint of laxer days is judged again before every message', async (t) => {
  const { body } = await add('https://example.com/');
  const { id } = body.endpoint;
  for (const url of [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
  ]) {
    await stack.sql('UPDATE webhook_endpoints SET url = $1 WHERE id = $2', [url, id]);
    const test = await http<{ delivery_id: string }>(`${base}webhooks/endpoints/${id}/test/`, {
      method: 'POST',
      headers,
    });
    const found = await eventually(async () => {
      const { body } = await http<{ attempts: { error: string }[] }>(
        `${base}webhooks/deliveries/${test.body.delivery_id}/`,
        { headers },
      );
      return body.attempts[0];
    });
    t.match(found, { response_status: null, error: /^the address/, response_head: null }, url);
  }
  t.equal(reached, 0, 'nobody has even connected');
});
