import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { callerOf, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const LIST = '/api/v1/lists/block/';
const IMPORT = `${LIST}import/`;
const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const csv = { 'content-type': 'text/csv' };
const FOREVER = { signal: undefined };
const body = { entries: ['a.example', 'x'.repeat(64 * 1024)] };

t.test('an account has one import or page of rows at a time, and others overtake its next', async (t) => {
  const [own, other] = [await plane.customer(), await plane.customer()];
  const { api_key } = (await own.call('POST', '/api/v1/dashboard/keys/', { name: 'bulk' })).body;
  const byKey = callerOf(plane.app, { 'x-api-key': api_key });
  const { job } = (await byKey('POST', '/api/v1/jobs/', 'email\na@gmail.com\n', csv)).body;
  let finish = () => {};
  const underWay = new Promise<void>((resolve) => (finish = resolve));
  const first = plane.deps.largeWork(own.accountId, () => underWay, FOREVER);
  const answered: string[] = [];
  const ask = async (what: string, ...request: Parameters<typeof own.call>) => {
    t.equal((await own.call(...request)).status, 200);
    answered.push(what);
  };
  const waiting = [
    ask('page', 'GET', `/api/v1/jobs/${job.id}/results/`),
    ask('file', 'GET', `/api/v1/jobs/${job.id}/results.csv`),
    ask('import', 'POST', IMPORT, body),
  ];
  await ask('list', 'GET', LIST);
  for (let i = 0; i < 3; i++) t.equal((await other.call('POST', IMPORT, body)).status, 200);
  t.strictSame(answered, ['list'], 'small requests do not wait');
  finish();
  await Promise.all([first, ...waiting]);
  t.equal(answered.length, 4, 'the others have their turns afterwards');
});

t.test('a request that leaves while it waits gives its turn to the next', async (t) => {
  const { access, accountId } = await plane.customer();
  const origin = await plane.app.listen({ host: '127.0.0.1', port: 0 });
  let finish = () => {};
  const first = plane.deps.largeWork(
    accountId,
    () => new Promise<void>((resolve) => (finish = resolve)),
    FOREVER,
  );
  const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' };
  const leaving = new AbortController();
  const page = fetch(`${origin}/api/v1/jobs/job_1/results/`, { headers, signal: leaving.signal });
  t.equal((await fetch(`${origin}${LIST}`, { headers })).status, 200, 'by now the page waits');
  leaving.abort();
  await t.rejects(page, { name: 'AbortError' });
  const next = fetch(`${origin}${IMPORT}`, { method: 'POST', headers, body: JSON.stringify(body) });
  finish();
  await first;
  t.equal((await next).status, 200);
});

t.test('after large work an account rests three times as long', async (t) => {
  let took = 0;
  let endedAt = 0;
  await plane.deps.largeWork(
    'acc_1',
    async () => {
      const beganAt = performance.now();
      await delay(30);
      endedAt = performance.now();
      took = endedAt - beganAt;
    },
    FOREVER,
  );
  const rested = await plane.deps.largeWork('acc_1', async () => performance.now() - endedAt, FOREVER);
  t.ok(rested > 2.9 * took, `${rested} ms after ${took} ms`);
});
