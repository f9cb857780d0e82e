import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookPolicy } from '@verdict/domain/webhook-address.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { createHostLookup } from '@verdict/service-kit/outgoing/look-up-host.js';
import type { Lookup } from '@verdict/service-kit/outgoing/resolve-target.js';
import t, { type Test } from 'tap';
import { type SendOptions, sendWebhook } from '../src/webhooks/send-webhook.js';

const HOST = 'hooks.example.com';
const INSIDE_TOO = 'hooks.example.org';
/** The same for names inside and names that do not exist. */
const NO_PUBLIC_ADDRESS = 'the name has no public address';

const dns = await startDnsServer({
  [HOST]: { a: ['127.0.0.1'] },
  [INSIDE_TOO]: { a: ['93.184.216.34', '10.0.0.1'] },
  'metadata.example.com': { a: ['169.254.169.254'] },
  'mapped.example.com': { aaaa: ['0:0:0:0:0:ffff:7f00:1'] },
  'private.example.com': { a: ['192.168.7.7'] },
  'own.example.com': { aaaa: ['fd12:3456:0:0:0:0:0:1'] },
});
t.teardown(() => dns.close());
const lookup = createHostLookup({ hostsFile: '', servers: [dns.address] });

/** A server on one address of this machine; counts who connects. */
async function listen(t: Test, address: string, port: number, handle = (): string => 'ok') {
  let connections = 0;
  const hosts: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    hosts.push(request.headers.host);
    response.end(handle());
  });
  server.on('connection', () => connections++);
  server.listen(port, address);
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, hosts, connections: () => connections };
}

const send = (url: string, policy: WebhookPolicy, options: Partial<SendOptions> = {}) =>
  sendWebhook(
    { url, body: '{}', headers: {} },
    { policy, lookup, timeoutMs: 60_000, signal: new AbortController().signal, ...options },
  );

const naming = (...hosts: string[]): WebhookPolicy => ({ privateHosts: new Set(hosts), loopback: true });

t.test(
  'a name that answers another address a moment later is connected to at the one that was judged',
  async (t) => {
    const outside = await listen(t, '127.0.0.1', 0);
    const inside = await listen(t, '127.0.0.2', outside.port);
    let asked = 0;
    const rebinding: Lookup = async (host, signal) => {
      asked++;
      const found = await lookup(host, signal);
      dns.zone[HOST] = { a: ['127.0.0.2'] };
      return found;
    };
    const answered = await send(`http://${HOST}:${outside.port}/`, naming(HOST), { lookup: rebinding });
    t.match(answered, { responseStatus: 200, error: null });
    t.equal(asked, 1, 'DNS is asked once');
    t.equal(inside.connections(), 0);
    t.same(outside.hosts, [`${HOST}:${outside.port}`], 'and the server is told the name');
  },
);

t.test('a name is refused when any of its addresses lies inside', async (t) => {
  const strict = { privateHosts: new Set<string>(), loopback: false };
  for (const host of [
    HOST,
    INSIDE_TOO,
    'metadata.example.com',
    'mapped.example.com',
    'private.example.com',
    'own.example.com',
  ])
    t.match(await send(`https://${host}/`, strict), { responseStatus: null, error: NO_PUBLIC_ADDRESS }, host);
});

t.test(
  'whatever an operator names, link-local, metadata and mapped addresses stay out of reach',
  async (t) => {
    for (const host of ['metadata.example.com', 'mapped.example.com'])
      t.match(await send(`http://${host}/`, naming(host)), { error: NO_PUBLIC_ADDRESS }, host);
  },
);

t.test('a name that does not exist, a closed port and silence each say so', async (t) => {
  t.match(await send(`http://none.example.com/`, naming('none.example.com')), {
    error: NO_PUBLIC_ADDRESS,
  });
  const { port } = await listen(t, '127.0.0.1', 0);
  const closed = await send(`http://127.0.0.2:${port}/`, naming());
  t.match(closed, { responseStatus: null, error: /the connection was refused/ });
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  t.match(await send(url, naming(), { timeoutMs: 1_000 }), { error: 'no answer within 1 seconds' });
});

t.test('of an endless answer the first bytes are kept, and the status stands', async (t) => {
  const endless = createServer((_request, response) => {
    response.write(`\0${'x'.repeat(5_000)}`);
  }).listen(0, '127.0.0.1');
  await once(endless, 'listening');
  t.teardown(() => {
    endless.closeAllConnections();
    endless.close();
  });
  const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/`;
  const answered = await send(url, naming());
  t.match(answered, { responseStatus: 200, error: null });
  t.equal(answered.responseHead?.length, 1_024);
  t.notOk(answered.responseHead?.includes('\0'), 'nothing that Postgres would not store');
});

t.test('name servers that do not answer hold up nobody else, and the endpoint is not blamed', async (t) => {
  const { port } = await listen(t, '127.0.0.1', 0);
  dns.zone[HOST] = { a: ['127.0.0.1'] };
  const slow = Array.from({ length: 20 }, (_, i) => `slow-${i}.example.com`);
  for (const host of slow) dns.zone[host] = { behaviour: 'silent' };
  let settled = 0;
  const waiting = slow.map((host) => send(`https://${host}/`, naming()).finally(() => settled++));
  t.match(await send(`http://${HOST}:${port}/`, naming(HOST)), { responseStatus: 200, isUnresolved: false });
  t.equal(settled, 0, 'it arrived while all of them were still waiting');
  for (const answered of await Promise.all(waiting))
    t.match(answered, { responseStatus: null, error: /.+/, isUnresolved: true });
});

t.test('a look-up ends with its worker', async (t) => {
  dns.zone['slow.example.com'] = { behaviour: 'silent' };
  const stopping = new AbortController();
  const sending = send('https://slow.example.com/', naming(), { signal: stopping.signal });
  stopping.abort();
  await t.rejects(sending, { name: 'AbortError' });
});

t.test('what /etc/hosts names is not asked of DNS', async (t) => {
  const hostsFile =
    '# ours\n127.0.0.1 localhost hooks.internal # here\n::1 localhost\nnonsense hooks.internal\n';
  const written = createHostLookup({ hostsFile, servers: [dns.address] });
  const { signal } = new AbortController();
  t.same(await written('hooks.internal', signal), [{ address: '127.0.0.1', family: 4 }]);
  t.same(await written('localhost', signal), [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  t.same(await written('none.example.com', signal), []);
});
