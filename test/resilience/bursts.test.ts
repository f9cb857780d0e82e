import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckResult } from '@verdict/contracts/check-api.js';
import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startProxy } from '@verdict/local-stack/start-proxy.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { accountKey, usedField } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { storedAsAnswered } from '../harness/beside-rows.js';

// A dump without compression, so that a text that Redis holds is a text in the file.
const stack = await startStack({
  gateways: 2,
  env: { gateway: { BURSTS: 'on' } },
  redis: { settings: { rdbcompression: 'no' } },
});
t.teardown(() => stack.stop());

type Account = Awaited<ReturnType<typeof stack.createAccount>>;
interface Answer extends CheckResult {
  readonly signals: CheckResult['signals'] & { readonly seen: Record<string, number | null> };
}

const check = async (
  { apiKey }: Account,
  json: { email: string; ip?: string },
  { url = stack.baseUrls[0] ?? '', once }: { url?: string | undefined; once?: string } = {},
) => {
  const headers = { 'x-api-key': apiKey, ...(once && { 'idempotency-key': once }) };
  const { status, body } = await http<Answer>(`${url}check/?expand=signals`, { headers, json });
  if (status !== 200) throw new Error(`${json.email}: ${status}`);
  return body;
};
const spellings = async (account: Account, email: string) =>
  (await check(account, { email })).signals.seen.mailbox;
const counted = async ({ accountId }: Account) =>
  Number(await stack.redis.client.hget(accountKey(accountId, 1), usedField(monthOf(new Date()))));

t.test('200 concurrent checks of one mailbox under 50 spellings at two gateways', async (t) => {
  const account = await stack.createAccount('scale');
  const sent = Array.from({ length: 200 }, (_, i) => ({
    email: `bob+${i % 50}@gmail.com`,
    url: stack.baseUrls[i % 2],
  }));
  const answers = await Promise.all(sent.map(({ email, url }) => check(account, { email }, { url })));
  const before = answers.filter(({ signals }) => Number(signals.seen.mailbox) < 3);
  t.ok(
    new Set(before.map(({ email }) => email)).size <= 2,
    'only the first two spellings are not yet a burst',
  );
  for (const { signals, decision, reasons } of answers) {
    const { mailbox } = signals.seen;
    if (Number(mailbox) < 3) {
      t.equal(decision, 'allow');
      continue;
    }
    t.equal(decision, 'challenge');
    const count = mailbox === 16 ? '16 or more' : mailbox;
    t.ok(reasons.includes(`This mailbox was seen under ${count} spellings in 7 days`));
  }
  t.equal(await spellings(account, 'bob@gmail.com'), 16);
  t.strictSame(await storedAsAnswered(stack.sql, answers), []);
});

t.test('an account that turns bursts off counts nothing from the next check on', async (t) => {
  const account = await stack.createAccount();
  const { email, password } = account;
  const api = stack.baseUrls[0];
  const login = await http<{ access: string }>(`${api}auth/jwt/create/`, { json: { email, password } });
  const headers = { authorization: `Bearer ${login.body.access}` };
  const turn = async (bursts: boolean) => {
    const json = { bursts };
    t.equal((await http(`${api}dashboard/settings/`, { method: 'PATCH', headers, json })).status, 200);
  };
  t.equal(await spellings(account, 'ida@gmail.com'), 1);
  await turn(false);
  t.equal(await spellings(account, 'i.da@gmail.com'), null);
  await turn(true);
  t.equal(await spellings(account, 'id.a@gmail.com'), 2);
});

t.test('a gateway that is killed between step and answer changes no later count', async (t) => {
  const account = await stack.createAccount();
  const proxy = await startProxy({ host: '127.0.0.1', port: stack.redis.port });
  t.teardown(() => proxy.close());
  const gateway = await startService('gateway', {
    ...stack.environments.gateway,
    REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
  });
  t.teardown(() => gateway.kill());
  const url = `${gateway.url}/api/v1/`;
  await check(account, { email: 'eve@gmail.com' }, { url });

  proxy.loseAnswers();
  const lost = t.rejects(check(account, { email: 'e.ve@gmail.com' }, { url }));
  await eventually(async () => (await counted(account)) === 2);
  await gateway.kill();
  await lost;

  t.equal(
    await spellings(account, 'e.ve@gmail.com'),
    2,
    'the lost step counted it, and the retry is no other',
  );
  t.equal(await spellings(account, 'e.v.e@gmail.com'), 3);
});

t.test('counts start anew when Redis is emptied, and nothing fails', async (t) => {
  const account = await stack.createAccount();
  t.equal(await spellings(account, 'mia@gmail.com'), 1);
  t.equal(await spellings(account, 'm.ia@gmail.com'), 2);
  await stack.redis.client.flushall();
  t.equal(await spellings(account, 'mi.a@gmail.com'), 1);
  t.equal(await spellings(account, 'm.ia@gmail.com'), 2);
});

t.test('a dump of Redis holds none of the addresses, domains and IPs once they are stored', async (t) => {
  const account = await stack.createAccount();
  const sent = [
    { email: 'very.hidden+tag@gmail.com', ip: '203.0.113.177' },
    { email: 'veryhidden@gmail.com', ip: '2001:db8:77:1::1' },
    { email: 'user01@hidden-company.example', ip: '203.0.113.177' },
    { email: 'user02@hidden-company.example', ip: '203.0.113.177' },
  ];
  for (const one of sent) await check(account, one, { once: one.email });
  const { signals } = await check(account, { email: 'user3@hidden-company.example', ip: '203.0.113.177' });
  t.strictSame(signals.seen, { mailbox: 1, domain: 3, shape: 3, ip: 4 }, 'all of it is counted');
  const rows = 'SELECT 1 FROM check_logs WHERE account_id = $1';
  await eventually(async () => (await stack.sql(rows, [account.accountId])).length === 5);

  const { client } = stack.redis;
  const [, directory] = (await client.config('GET', 'dir')) as [string, string];
  const [, file] = (await client.config('GET', 'dbfilename')) as [string, string];
  const secrets = ['hidden', 'company', 'user01', 'user3', '203.0.113', 'cb0071b1', '2001:db8', '20010db8'];
  const isHeld = async () => {
    await client.save();
    const dump = (await readFile(join(directory, file), 'latin1')).toLowerCase();
    if (!dump.includes(account.accountId.toLowerCase())) throw new Error('the dump cannot be read');
    return secrets.some((secret) => dump.includes(secret));
  };
  // A job is removed a moment after its rows were stored.
  t.ok(await eventually(async () => !(await isHeld())));
});
