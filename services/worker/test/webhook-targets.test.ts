import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookPolicy } from '@verdict/domain/webhook-address.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import t, { type Test } from 'tap';
import type { Lookup } from '../src/webhooks/resolve-target.js';
import { type SendOptions, sendWebhook } from '../src/webhooks/send-webhook.js';

const HOST = 'hooks.example.com';
const INSIDE_TOO = 'hooks.example.org';

const dns = await startDnsServer({
  [HOST]: { a: ['127.0.0.1'] },
  [INSIDE_TOO]: { a: ['93.184.216.34', '10.0.0.1'] },
  'metadata.example.com': { a: ['169.254.169.254'] },
  'mapped.example.com': { aaaa: ['0:0:0:0:0:ffff:7f00:1'] },
  'private.example.com': { a: ['192.168.7.7'] },
  'own.example.com': { aaaa: ['fd12:3456:0:0:0:0:0:1'] },
});
t.teardown(() => dns.close());
const resolver = new Resolver();
resolver.setServers([dns.address]);

const lookup: Lookup = async (host) => {
  const found = await Promise.all([
    resolver.resolve4(host).then(
      (all) => all.map((address) => ({ address, family: 4 })),
      () => [],
    ),
    resolver.resolve6(host).then(
      (all) => all.map((address) => ({ address, family: 6 })),
      () => [],
    ),
  ]);
  return found.flat();
};

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
    const rebinding: Lookup = async (host) => {
      asked++;
      const found = await lookup(host);
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
    t.match(
      await send(`https://${host}/`, strict),
      { responseStatus: null, error: /the name leads to/ },
      host,
    );
});

t.test(
  'whatever an operator names, link-local, metadata and mapped addresses stay out of reach',
  async (t) => {
    for (const host of ['metadata.example.com', 'mapped.example.com'])
      t.match(await send(`http://${host}/`, naming(host)), { error: /the name leads to/ }, host);
  },
);

t.test('a name that does not exist, a closed port and silence each say so', async (t) => {
  t.match(await send(`http://none.example.com/`, naming('none.example.com')), {
    error: 'the name has no address',
  });
  const { port } = await listen(t, '127.0.0.1', 0);
  const closed = await send(`http://127.0.0.2:${port}/`, naming());
  t.match(closed, { responseStatus: null, error: /nothing listens there/ });
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
