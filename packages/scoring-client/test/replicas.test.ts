import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { Pool } from 'undici';
import { replicaAddresses } from '../src/replica-addresses.js';
import { createReplicas } from '../src/replicas.js';

t.test('a name that stands for several replicas becomes one address each', async (t) => {
  const names: Record<string, string[]> = { scoring: ['10.0.0.3', '10.0.0.2', 'fd00::2'] };
  const lookUp = async (name: string) => names[name] ?? Promise.reject(new Error('ENOTFOUND'));
  t.strictSame(await replicaAddresses(['http://scoring:8081'], lookUp), [
    'http://10.0.0.2:8081',
    'http://10.0.0.3:8081',
    'http://[fd00::2]:8081',
  ]);
  t.strictSame(
    await replicaAddresses(
      ['http://127.0.0.1:1', 'http://[::1]:2', 'http://away:3', 'https://scoring:4'],
      lookUp,
    ),
    ['http://127.0.0.1:1', 'http://[::1]:2', 'http://away:3', 'https://scoring:4'],
    'addresses, names that do not resolve and names that a certificate is made out to stay as they are',
  );
});

t.test('replicas take turns, one that failed rests, and new ones join', async (t) => {
  let moment = 0;
  const replicas = createReplicas({
    urls: ['http://a', 'http://b'],
    connect: (url) => new Pool(url),
    deadlineMs: 1_000,
    now: () => moment,
  });
  t.teardown(() => replicas.close());
  const turns = (count: number) => Array.from({ length: count }, () => replicas.pick().url.at(-1)).join('');
  t.equal(turns(4), 'abab');

  const first = replicas.pick();
  t.equal(replicas.pick(first).url, 'http://b', 'a second attempt goes elsewhere');
  replicas.failed(first);
  t.equal(turns(3), 'bbb');
  moment += 1_001;
  t.equal(turns(2).split('').sort().join(''), 'ab');

  replicas.replace(['http://b', 'http://c', 'http://d']);
  t.equal(replicas.size, 3);
  t.equal(turns(3), 'bcd');
  replicas.replace([]);
  t.equal(replicas.size, 3, 'a resolver that names nobody is not believed');
});

t.test('what is under way with a replica that leaves may finish', async (t) => {
  let finish = (): void => undefined;
  const server = createServer((_request, response) => {
    finish = () => void response.end('done');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const replicas = createReplicas({ urls: [url], connect: (one) => new Pool(one), deadlineMs: 60_000 });
  const answer = replicas.pick().pool.request({ method: 'GET', path: '/' });
  await once(server, 'request');
  replicas.replace(['http://127.0.0.1:1']);
  finish();
  t.equal(await (await answer).body.text(), 'done');
  await replicas.close();
});
