import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';

const dns = await startDnsServer({ 'canary.example-corp.com': { mx: [[10, 'mail.example-corp.com']] } });
const stack = await startStack({
  env: {
    all: { DNS_SERVERS: dns.address },
    scoring: { DNS_CANARY: 'canary.example-corp.com' },
    // As in production: a control plane that hashes cheaply says so at its start.
    'control-plane': { PASSWORD_HASH_COST: 'owasp' },
  },
});
t.teardown(async () => {
  await stack.stop();
  await dns.close();
});

interface Line extends Record<string, unknown> {
  readonly level: number;
  readonly msg: string;
}
const linesOf = (service: { output(): string } | undefined): Line[] =>
  (service?.output() ?? '')
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text) as Line);

t.test('a healthy system is silent once it is up', async (t) => {
  const base = stack.baseUrls[0] ?? '';
  for (let i = 0; i < 5; i++) {
    t.equal((await stack.api('check/', { json: { email: `a${i}@gmail.com` } })).status, 200);
  }
  const { body } = await http<{ access: string }>(`${base}auth/jwt/create/`, {
    json: { email: stack.email, password: stack.password },
  });
  const keys = await http(`${base}dashboard/keys/`, { headers: { authorization: `Bearer ${body.access}` } });
  t.equal(keys.status, 200);
  await eventually(async () => (await stack.sql('SELECT 1 FROM check_logs')).length === 5);
  for (const service of stack.services) {
    const lines = linesOf(service);
    const ready = lines.findIndex(({ msg }) => /ready/.test(msg));
    t.ok(ready >= 0, `${service.name} says that it is ready`);
    t.strictSame(
      lines
        .filter(({ level }, i) => i > ready || level > 30)
        .map(({ msg }) => msg)
        // The Postgres of the tests syncs nothing, and the worker says so.
        .filter((msg) => !/fsync|full_page_writes|synchronous_commit/.test(msg)),
      [],
      service.name,
    );
  }
});

t.test('a refusal says who was refused what; those like it are counted in one more line', async (t) => {
  const [gateway] = stack.gateways;
  const before = linesOf(gateway).length;
  const send = () => stack.api('check/?secret=1', { json: { email: 'nonsense' } });
  const answers = await Promise.all(Array.from({ length: 40 }, send));
  t.ok(answers.every(({ status }) => status === 400));
  for (let i = 0; i < 3; i++) await stack.api('check/', { json: {}, headers: { 'x-api-key': 'wrong' } });
  await gateway?.stop();
  const lines = linesOf(gateway)
    .slice(before)
    .filter(({ msg }) => /refused/.test(msg));
  t.match(lines, [
    {
      msg: 'request refused',
      level: 30,
      requestId: /^req_/,
      client: '127.0.0.1',
      accountId: stack.accountId,
      keyId: stack.apiKeyId,
      method: 'POST',
      path: '/api/v1/check/',
      status: 400,
      code: 'invalid_request',
    },
    { msg: 'request refused', status: 401, code: 'invalid_api_key', client: '127.0.0.1' },
    {
      msg: 'requests refused the same way',
      accountId: stack.accountId,
      keyId: stack.apiKeyId,
      client: '127.0.0.1',
      times: 39,
    },
    { msg: 'requests refused the same way', code: 'invalid_api_key', times: 2 },
  ]);
  t.equal(lines.length, 4);
  t.notMatch(gateway?.output(), /secret|nonsense/, 'neither the query nor the address');
});
