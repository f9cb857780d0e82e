import { EXPLAIN_PATH, type Explanation, OWNER_HEADER } from '@verdict/contracts/scoring-api.js';
import type { Release } from '@verdict/datasets/releases/release-index.js';
import type { ReleaseReader } from '@verdict/datasets/releases/release-reader.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startDnsServer, type Zone } from '@verdict/local-stack/start-dns-server.js';
import t from 'tap';
import { createExplainer } from '../src/explain/explain.js';
import { startScoring } from './support/scoring-service.js';

const SILENT = Array.from({ length: 40 }, (_, i) => `keeps-silent-${i}.com`);
const zone: Zone = { 'canary.net': { mx: [[1, 'mx.canary.net']] } };
for (const domain of SILENT) zone[domain] = { behaviour: 'silent' };
const dns = await startDnsServer(zone);
t.teardown(() => dns.close());

t.test('name servers that keep silent delay only the account that asks about them', async (t) => {
  const scoring = await startScoring({
    DNS_SERVERS: dns.address,
    DNS_CANARY: 'canary.net',
    DNS_DEADLINE_MS: '20000',
    DNS_BUDGET_BURST: '20',
    DNS_BUDGET_PER_SECOND: '1',
    DATASETS_POLL_MS: '600000',
  });
  t.teardown(() => scoring.close());
  const leaving = new AbortController();
  const explain = (account: string, email: string) =>
    fetch(scoring.url + EXPLAIN_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [OWNER_HEADER]: account },
      body: JSON.stringify({ email }),
      signal: leaving.signal,
    });
  let answered = 0;
  const greedy = SILENT.map((domain) =>
    explain('acc_greedy', `a@${domain}`).then(
      () => answered++,
      () => undefined,
    ),
  );
  await eventually(() => dns.queries.some((query) => query.includes('keeps-silent')));
  const other = await explain('acc_other', 'jane@gmail.com');
  t.equal(other.status, 200);
  t.equal(((await other.json()) as Explanation).decision, 'allow');
  await eventually(() => answered > 0);
  t.ok(answered <= SILENT.length - 20, `${answered} over the budget of the account are answered without DNS`);
  leaving.abort();
  await Promise.all(greedy);
});

t.test(
  'older releases are opened one after the other, by owner, in a bounded queue that callers can leave',
  async (t) => {
    let opened = 0;
    const releases = {
      place: 'test',
      index: async () => ({ releases: [{ id: '2026-11-01' } as Release] }),
      open: () => {
        opened++;
        return () => new Promise<Buffer>(() => undefined);
      },
    } as unknown as ReleaseReader;
    const explainer = createExplainer({
      current: () => t.fail('the current release is not asked') as never,
      scorerOf: () => t.fail('no release was read') as never,
      releases,
    });
    const ask = (owner: string, signal?: AbortSignal) =>
      explainer.explain({ email: 'a@b.example', datasets: '2026-11-01' }, { owner, signal });
    void ask('acc_1');
    await eventually(() => opened === 1);
    const leaving = new AbortController();
    const left = ask('acc_2', leaving.signal);
    const refused = await Promise.race(
      Array.from({ length: 20 }, () => ask('acc_3').catch((error) => error)),
    );
    t.match(refused, { status: 503 });
    leaving.abort(new Error('the caller has gone'));
    await t.rejects(left, /has gone/);
    t.equal(opened, 1, 'one release in memory');
  },
);
