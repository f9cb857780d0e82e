import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { ENDLESS, makeSearchesEndless } from './endless-searches.js';

/** As many accounts as there are connections for searches, each with as many searches as it can have. */
const ACCOUNTS = 2;
const SEARCHES_EACH = 20;
const REFUSED_PAUSE_MS = 100;
const OWN_SEARCHES = 10;
/** Pages that need no search. */
const PAGES = ['auth/users/me/', 'dashboard/overview/', 'dashboard/usage/', 'policies/', 'dashboard/keys/'];

const stack = await startStack({
  env: { gateway: { REQUESTS_PER_MINUTE: 1_000_000, TRUST_PROXY: 'loopback' } },
});
t.teardown(() => stack.stop());
const [base = ''] = stack.baseUrls;

interface Body {
  readonly access: string;
  readonly key: { readonly id: string };
  readonly log_id: string;
  readonly logs: readonly { readonly id: string }[];
}
type Account = Awaited<ReturnType<typeof stack.createAccount>>;

/** Requests of one address wait for each other. */
async function logIn({ email, password }: Account, address: string) {
  const from = { 'x-forwarded-for': address };
  const request = { json: { email, password }, headers: from };
  const { status, body } = await http<Body>(`${base}auth/jwt/create/`, request);
  return { status, headers: { ...from, authorization: `Bearer ${body.access}` } };
}

/** Checks an address and waits until the check is found. */
async function checkStored(headers: Readonly<Record<string, string>>, account: Account, email: string) {
  const json = { email, api_key_id: account.apiKeyId };
  const checked = await http<Body>(`${base}check/`, { headers, json });
  const listed = () => http<Body>(`${base}dashboard/logs/`, { headers });
  return eventually(async () => checked.status === 200 && (await listed()).body.logs[0]?.id);
}

t.test('while accounts search without end, others log in, read, search and revoke', async (t) => {
  const neighbour = await stack.createAccount('free');
  const { headers } = await logIn(neighbour, '192.0.2.7');
  const logId = await checkStored(headers, neighbour, 'jane@gmail.com');
  const searchers = await Promise.all(
    Array.from({ length: ACCOUNTS }, async (_, i) => {
      const account = await stack.createAccount('free');
      const searcher = await logIn(account, `192.0.2.${100 + i}`);
      await checkStored(searcher.headers, account, `p@${ENDLESS}`);
      return searcher.headers;
    }),
  );
  const endSearches = await makeSearchesEndless(stack.database.url);

  let isOver = false;
  let refused = 0;
  const searching = searchers.flatMap((searcher) =>
    Array.from({ length: SEARCHES_EACH }, async () => {
      while (!isOver) {
        const path = `${base}lists/block/impact/?value=${ENDLESS}`;
        const { status } = await http(path, { headers: searcher });
        if (isOver) return;
        if (status === 200) t.fail('a search came to an end');
        refused += 1;
        // Soon enough to take every place that is free; without a pause the test would measure the processor.
        await delay(REFUSED_PAUSE_MS);
      }
    }),
  );
  await eventually(() => refused > 0);
  for (const page of [...PAGES, `dashboard/logs/${logId}/`, `dashboard/logs/${logId}/evidence/`])
    t.equal((await http(`${base}${page}`, { headers })).status, 200, page);
  const before = refused;
  for (let i = 0; i < OWN_SEARCHES; i++)
    t.equal((await http(`${base}dashboard/logs/`, { headers })).status, 200, 'its own search has its turn');
  t.ok(refused - before < OWN_SEARCHES, 'and waits for no place of those that find no end');
  t.equal((await logIn(neighbour, '192.0.2.7')).status, 200);
  const made = await http<Body>(`${base}dashboard/keys/`, { headers, json: { name: 'new' } });
  t.equal(made.status, 201);
  const revoked = await http(`${base}dashboard/keys/${made.body.key.id}/`, { method: 'DELETE', headers });
  t.equal(revoked.status, 200);
  const json = { email: 'jane@gmail.com', api_key_id: neighbour.apiKeyId };
  t.equal((await http(`${base}check/`, { headers, json })).status, 200);
  isOver = true;
  await endSearches();
  await Promise.all(searching);
});
