import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { eventually } from '@verdict/local-stack/eventually.js';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import t from 'tap';
import { followRequests } from '../src/follow-requests.js';

const registry = new Registry();
const app = Fastify();
const inFlight = followRequests(app, registry);
let answer = () => {};
let asked = 0;
app.route({
  method: ['GET', 'PUT'],
  url: '/thing/:id',
  handler: async (request, reply) => reply.code(request.method === 'PUT' ? 201 : 200).send('done'),
});
app.get('/slow', async () => {
  asked++;
  await new Promise<void>((resolve) => {
    answer = resolve;
  });
  return 'late';
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
t.teardown(() => app.close());

const counts = async () =>
  (await registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('http_request_duration_seconds_count'))
    .map((line) => line.slice('http_request_duration_seconds_count'.length));
const hasCount = (line: string) => eventually(async () => (await counts()).includes(line));

t.test('answers are counted by the route and not by the path, and by method and status', async (t) => {
  await fetch(`${url}/thing/1`);
  await fetch(`${url}/thing/2`);
  await fetch(`${url}/thing/2`, { method: 'PUT' });
  await hasCount('{route="/thing/:id",method="GET",status="200"} 2');
  await hasCount('{route="/thing/:id",method="PUT",status="201"} 1');
  t.equal((await counts()).length, 2);
});

t.test('whatever is asked that does not exist is one series', async () => {
  await fetch(`${url}/nowhere/1`);
  await fetch(`${url}/nowhere/2`, { method: 'POST' });
  await hasCount('{route="none",method="any",status="404"} 2');
});

t.test('draining waits for an answer under way, and for nothing else', async (t) => {
  await inFlight.drained();
  const answered = fetch(`${url}/slow`);
  let drained = false;
  const begun = answer;
  await eventually(() => answer !== begun);
  const draining = inFlight.drained().then(() => {
    drained = true;
  });
  await fetch(`${url}/thing/1`);
  t.equal(drained, false);
  answer();
  t.equal(await (await answered).text(), 'late');
  await draining;
});

t.test('a client that hangs up before its answer is counted as such, and is not waited for', async () => {
  const begun = answer;
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await eventually(() => answer !== begun);
  socket.destroy();
  await inFlight.drained();
  await hasCount('{route="/slow",method="GET",status="499"} 1');
  answer();
});

t.test('the requests of a connection are handled one after the other, and none after its end', async (t) => {
  asked = 0;
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(4));
  await eventually(() => asked > 0);
  t.equal(asked, 1);
  answer();
  t.match(String((await once(socket, 'data'))[0]), 'late');
  await eventually(() => asked > 1);
  socket.destroy();
  await inFlight.drained();
  t.equal(asked, 2);
  answer();
});
