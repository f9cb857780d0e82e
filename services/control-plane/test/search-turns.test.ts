import { eventually } from '@verdict/local-stack/eventually.js';
import t from 'tap';
import { startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

/** Pages that search. */
const PAGES = [
  'dashboard/logs/',
  'dashboard/checks/groups/?by=domain',
  'lists/block/impact/?value=example.com',
  'dashboard/outcomes/proposals/',
  'dashboard/outcomes/precision/?by=code',
];
/** More than an account may have waiting. */
const SEARCHES = 80;

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const origin = await plane.app.listen({ host: '127.0.0.1', port: 0 });

for (const page of PAGES) {
  t.test(`a search of ${page} whose caller has left gives its place up`, async (t) => {
    const { access, accountId } = await plane.customer();
    const headers = { authorization: `Bearer ${access}` };
    const { signal } = new AbortController();
    let finish = () => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    // Others on each page: who searched for long goes among the long ones.
    const holders = [1, 2].map((i) => plane.deps.search(`acc_${i} of ${page}`, () => held, { signal }));

    const leaving = new AbortController();
    const statuses: number[] = [];
    const asked = Array.from({ length: SEARCHES }, async () => {
      const { status } = await fetch(`${origin}/api/v1/${page}`, { headers, signal: leaving.signal });
      statuses.push(status);
    });
    const ended = Promise.allSettled(asked);
    await eventually(() => statuses.includes(503));
    leaving.abort();
    await ended;
    const next = await eventually(async () => {
      const turn = plane.deps.search(accountId, async () => 'done', { signal });
      const isRefused = turn.then(
        () => false,
        () => true,
      );
      const isWaiting = new Promise((resolve) => setImmediate(resolve, false));
      return (await Promise.race([isRefused, isWaiting])) === false && { turn };
    });
    finish();
    t.equal(await next.turn, 'done');
    await Promise.all(holders);
  });
}
