import t from 'tap';
import { type Customer, PASSWORD, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores, { LOGIN_FAILURES_PER_ACCOUNT: 2 });
const brief = await startControlPlane(t, stores, { ACCESS_TOKEN_SECONDS: 1 });

interface Row {
  /** Its number in the review that found it. */
  readonly u: number;
  readonly what: string;
  readonly ask: (customer: Customer) => Promise<{ status: number; body: { error: string } }>;
  readonly status: number;
  readonly sentence: RegExp;
}

const DAY_OR_MOMENT =
  /^from: must be a day, such as 2026-11-15, or a moment with its offset, such as 2026-11-15T09:30:00Z$/;

/** Problems that people met, and the sentence that they read now. */
const ROWS: readonly Row[] = [
  {
    u: 20,
    what: 'a body that is required was left out',
    ask: ({ call }) => call('POST', '/api/v1/dashboard/keys/'),
    status: 400,
    sentence: /^body: must be a JSON object$/,
  },
  {
    u: 20,
    what: 'logging out without a token to end',
    ask: ({ call }) => call('POST', '/api/v1/auth/jwt/logout/'),
    status: 400,
    sentence: /^body: must be a JSON object$/,
  },
  {
    u: 22,
    what: 'what is neither a day nor a moment, in usage',
    ask: ({ call }) => call('GET', '/api/v1/dashboard/usage/?from=yesterday'),
    status: 400,
    sentence: DAY_OR_MOMENT,
  },
  {
    u: 22,
    what: 'the same in logs',
    ask: ({ call }) => call('GET', '/api/v1/dashboard/logs/?from=2026-02-30'),
    status: 400,
    sentence: DAY_OR_MOMENT,
  },
  {
    u: 28,
    what: 'a star before a domain',
    ask: ({ call }) => call('POST', '/api/v1/lists/block/', { value: '*.foo.com' }),
    status: 400,
    sentence: /^value: needs no star: foo\.com covers every name below it too$/,
  },
  {
    u: 28,
    what: 'a network with bits beyond its length',
    ask: ({ call }) => call('POST', '/api/v1/lists/block/', { value: '203.0.113.7/24' }),
    status: 400,
    sentence: /^value: has bits beyond its length; write 203\.0\.113\.0\/24$/,
  },
  {
    u: 21,
    what: 'a plan that does not exist',
    ask: ({ call }) => call('PUT', '/api/v1/billing/subscription/', { plan: 'platinum' }),
    status: 400,
    sentence: /^plan: is none of free, starter, growth, scale$/,
  },
  {
    u: 21,
    what: 'a field of the wrong type',
    ask: ({ call }) => call('POST', '/api/v1/dashboard/keys/', { name: 7 }),
    status: 400,
    sentence: /^name: must be a string$/,
  },
  {
    u: 26,
    what: 'a login that is locked',
    async ask({ email }) {
      const login = (password: string) =>
        plane.call(
          'POST',
          '/api/v1/auth/jwt/create/',
          { email, password },
          { 'x-forwarded-for': '198.51.100.7' },
        );
      for (let i = 0; i < 2; i++) await login('wrong-password-1');
      return login(PASSWORD);
    },
    status: 429,
    sentence: /^Too many failed logins\. Try again in \d+ minutes?\.$/,
  },
];

for (const { u, what, ask, status, sentence } of ROWS) {
  t.test(`U${u}: ${what}`, async (t) => {
    const answer = await ask(await plane.customer());
    t.equal(answer.status, status);
    t.match(answer.body.error, sentence);
  });
}

t.test('U22: logs and usage take days and moments alike', async (t) => {
  const { call } = await plane.customer();
  for (const place of ['logs', 'usage']) {
    for (const from of ['2026-11-01', '2026-11-01T00:00:00Z', '2026-11-01T02:00:00.5%2B02:00']) {
      const answer = await call('GET', `/api/v1/dashboard/${place}/?from=${from}&to=2026-11-15`);
      t.equal(answer.status, 200, `${place} ${from}: ${answer.text}`);
    }
  }
});

t.test('U10: a token that has expired says so', async (t) => {
  const { call } = await brief.customer();
  const { setTimeout: wait } = await import('node:timers/promises');
  let answer = await call('GET', '/api/v1/auth/users/me/');
  for (const end = Date.now() + 20_000; answer.status === 200 && Date.now() < end; await wait(100)) {
    answer = await call('GET', '/api/v1/auth/users/me/');
  }
  t.match(answer, {
    status: 401,
    body: { code: 'invalid_token', error: /invalid or missing: it has expired/ },
  });
});

t.test('U20: rolling a key needs no body, because nothing in it is needed', async (t) => {
  const { call } = await plane.customer();
  const { key } = (await call('POST', '/api/v1/dashboard/keys/', { name: 'k' })).body;
  t.equal((await call('POST', `/api/v1/dashboard/keys/${key.id}/roll/`)).status, 200);
});

t.test('an invoice is shown as JSON, page and file to its owner', async (t) => {
  const { call, accountId } = await plane.customer();
  await stores.db.legalEntity.create({
    data: { id: 'here', name: 'Here <GmbH>', address: 'A street', numberPrefix: 'HERE-' },
  });
  const fields = {
    kind: 'invoice',
    account_id: accountId,
    month: '2026-10-01',
    issued_on: '2026-11-01',
    currency: 'EUR',
    subtotal: 1900,
    tax_rate: 1900,
    tax: 361,
    total: 2261,
    document: {
      buyer: { name: '<b>Customer</b>' },
      tax_note: 'VAT',
      lines: [
        {
          kind: 'plan',
          plan: 'starter',
          from: '2026-10-01',
          to: '2026-10-31',
          days: 31,
          month_days: 31,
          price_month: 1900,
          amount: 1900,
        },
      ],
    },
  };
  await stores.db.$queryRaw`SELECT write_invoice('here', ${JSON.stringify(fields)}::jsonb)`;
  const path = '/api/v1/billing/invoices/HERE-000001/';
  const listed = await call('GET', '/api/v1/billing/invoices/');
  t.equal(listed.status, 200, listed.text);
  t.match(listed.body.invoices, [{ number: 'HERE-000001', total: 2261 }]);
  t.match(await call('GET', path), {
    status: 200,
    body: { invoice: { total: 2261, due_on: '2026-11-15', status: 'overdue' } },
  });
  const html = await call('GET', `${path}?format=html`);
  t.match(html.text, /&lt;b&gt;Customer&lt;\/b&gt;[\s\S]*22\.61 EUR/);
  const pdf = await call('GET', `${path}?format=pdf`);
  t.match(pdf.headers['content-type'], /application\/pdf/);
  t.match(pdf.text.slice(0, 5), '%PDF-');
  const xml = await call('GET', `${path}?format=xml`);
  t.equal(xml.status, 404, 'without a country there is no valid XML');
  t.match(xml.body.error, 'country of the seller');
});
