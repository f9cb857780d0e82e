import t from 'tap';
import { type Customer, callerOf, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const CSV = { 'content-type': 'text/csv' };

async function keyOf(owner: Customer, name: string, terms: object = {}) {
  const { key, api_key } = (await owner.call('POST', '/api/v1/dashboard/keys/', { name, ...terms })).body;
  return { id: key.id as string, call: callerOf(plane.app, { 'x-api-key': api_key }) };
}

t.test('a key sees and steers its own jobs, and a user all of them', async (t) => {
  const owner = await plane.customer();
  const [one, other] = [await keyOf(owner, 'one'), await keyOf(owner, 'other')];
  const sent = await one.call('POST', '/api/v1/jobs/', 'email\njane@gmail.com\n', CSV);
  t.equal(sent.status, 202);
  const job = `/api/v1/jobs/${sent.body.job.id}/`;

  t.strictSame((await other.call('GET', '/api/v1/jobs/')).body.jobs, []);
  for (const [method, path] of [
    ['GET', job],
    ['GET', `${job}results/`],
    ['GET', `${job}results.csv`],
    ['POST', `${job}start/`],
    ['POST', `${job}cancel/`],
    ['DELETE', job],
  ] as const) {
    t.equal((await other.call(method, path)).status, 404, `${method} ${path}`);
  }
  t.equal((await owner.call('GET', job)).status, 200);
  t.equal((await owner.call('GET', '/api/v1/jobs/')).body.jobs.length, 1);
  t.equal((await one.call('POST', `${job}start/`)).status, 200);
  t.equal((await one.call('DELETE', job)).status, 200);

  const { events } = (await owner.call('GET', '/api/v1/dashboard/audit/')).body;
  for (const action of ['job.created', 'job.started', 'job.deleted']) {
    const event = events.find((each: { action: string }) => each.action === action);
    t.match(event, { user_id: null, details: { key_id: one.id } }, `${action} names the key`);
  }
});

t.test('an Idempotency-Key of one key does not show its job to another', async (t) => {
  const owner = await plane.customer();
  const [one, other] = [await keyOf(owner, 'one'), await keyOf(owner, 'other')];
  const headers = { ...CSV, 'idempotency-key': 'same' };
  const send = (key: typeof one) => key.call('POST', '/api/v1/jobs/', 'email\njane@gmail.com\n', headers);
  const first = await send(one);
  t.equal((await send(one)).body.job.id, first.body.job.id);
  t.match(await send(other), { status: 400, body: { code: 'idempotency_mismatch' } });
});

t.test('test keys and keys without the scope have no jobs', async (t) => {
  const owner = await plane.customer();
  const keys = [
    await keyOf(owner, 'test', { mode: 'test' }),
    await keyOf(owner, 'narrow', { scopes: ['check', 'usage'] }),
  ];
  for (const { call } of keys) {
    t.match(await call('GET', '/api/v1/jobs/'), { status: 403, body: { code: 'scope_missing' } });
    t.equal((await call('POST', '/api/v1/jobs/', 'email\na@gmail.com\n', CSV)).status, 403);
  }
  const reading = await keyOf(owner, 'reading', { scopes: ['jobs'] });
  t.equal((await reading.call('GET', '/api/v1/jobs/')).status, 200);
});

t.test('what came as JSON leaves as CSV without formulas', async (t) => {
  const owner = await plane.customer();
  const { call } = await keyOf(owner, 'bulk');
  const row = { email: 'jane@gmail.com', '=1+1': '=HYPERLINK("http://evil.example")' };
  const sent = await call('POST', '/api/v1/jobs/', `${JSON.stringify(row)}\n`, {
    'content-type': 'application/x-ndjson',
  });
  const csv = await call('GET', `/api/v1/jobs/${sent.body.job.id}/results.csv`);
  t.match(csv.text, /^email,'=1\+1,/);
  t.match(csv.text, /\njane@gmail\.com,"'=HYPERLINK/);
});
