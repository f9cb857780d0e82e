import { accountKey } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { PASSWORD, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const ME = '/api/v1/auth/users/me/';
const SETTINGS = '/api/v1/dashboard/settings/';
const ADDRESS = '/api/v1/billing/invoice-address/';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);

t.test('a user changes the name, and takes it away', async (t) => {
  const { call } = await plane.customer();
  t.equal((await call('PATCH', ME, { name: 'Ada' })).body.user.name, 'Ada');
  t.equal((await call('GET', ME)).body.user.name, 'Ada');
  t.equal((await call('PATCH', ME, { name: null })).body.user.name, null);
  t.equal((await call('PATCH', ME, { name: 'x'.repeat(101) })).status, 400);
});

t.test('a login address changes with the password alone where there is no mail', async (t) => {
  const { call, email, userId } = await plane.customer();
  const other = await plane.customer();
  const next = `next-${email}`;
  const wrong = await call('POST', `${ME}email/`, { email: next, current_password: 'not the password' });
  t.match(wrong.body.errors, [{ field: 'current_password' }]);
  const taken = await call('POST', `${ME}email/`, { email: other.email, current_password: PASSWORD });
  t.match(taken.body.errors, [{ field: 'email' }]);
  const changed = await call('POST', `${ME}email/`, { email: next, current_password: PASSWORD });
  t.match(changed.body.user, { id: userId, email: next, email_verified: false });
  const logIn = (address: string) =>
    plane.call('POST', '/api/v1/auth/jwt/create/', { email: address, password: PASSWORD });
  t.equal((await logIn(next)).status, 200);
  t.equal((await logIn(email)).status, 401, 'the old one opens nothing');
});

t.test('the invoice address is written whole, and read back', async (t) => {
  const { call } = await plane.customer();
  const empty = { name: null, address: null, tax_id: null, contact: null, country: null, po_number: null };
  t.match((await call('GET', ADDRESS)).body, empty);
  const address = {
    ...{ name: 'Acme Ltd', address: '1 High Street\nLondon', tax_id: 'GB980780684' },
    ...{ contact: 'billing@acme.example', country: 'GB', po_number: 'PO-4711' },
  };
  t.equal((await call('PUT', ADDRESS, address)).status, 200);
  t.match((await call('GET', ADDRESS)).body, address);
  t.equal((await call('PUT', ADDRESS, { name: 'Acme' })).status, 400, 'every field is named');
  const { country: _, po_number: __, ...ofEarlierReleases } = address;
  t.equal((await call('PUT', ADDRESS, { ...ofEarlierReleases, name: 'Acme' })).status, 200);
  t.match((await call('GET', ADDRESS)).body, { ...address, name: 'Acme' }, 'new fields keep their value');
});

t.test('an invoice address that would be wrong on an invoice is refused, and says where', async (t) => {
  const { call } = await plane.customer();
  const whole = { ...{ name: null, address: null, contact: null }, country: 'DE', tax_id: 'DE136695976' };
  const faultOf = async (part: object) => {
    const { status, body } = await call('PUT', ADDRESS, { ...whole, ...part });
    return status === 200 ? null : body.error;
  };
  t.equal(await faultOf({}), null);
  t.equal(await faultOf({ country: 'UK', tax_id: null }), 'country: is none of ISO 3166, such as DE');
  t.equal(await faultOf({ tax_id: 'XX-not-a-vat' }), 'tax_id: must begin with DE');
  t.equal(await faultOf({ tax_id: 'DE136695970' }), 'tax_id: has a digit that does not fit the others');
  t.match(await faultOf({ contact: 'billing@acme' }), /^contact: /);
  t.equal(await faultOf({ contact: 'Accounts, 2nd floor' }), null);
  t.equal(await faultOf({ country: null }), null, 'a free plan is never invoiced');
  t.equal((await call('PUT', '/api/v1/billing/subscription/', { plan: 'starter' })).status, 200);
  t.equal(await faultOf({ country: null }), 'country: is missing; your plan is invoiced');
});

t.test('settings are switched one by one, reach Redis before the answer, and are audited', async (t) => {
  const { call, accountId } = await plane.customer();
  const projected = async () =>
    plane.deps.redis.hmget(
      accountKey(accountId, plane.deps.config.REDIS_SHARDS),
      'tracked',
      'ip_intelligence',
    );
  t.match((await call('GET', SETTINGS)).body, { bursts: true, burst_mails: true, ip_intelligence: true });
  t.match((await call('PATCH', SETTINGS, { bursts: false })).body, { bursts: false, ip_intelligence: true });
  t.strictSame(await projected(), ['0', '1']);
  t.match((await call('PATCH', SETTINGS, { ip_intelligence: false })).body, {
    bursts: false,
    ip_intelligence: false,
  });
  t.strictSame(await projected(), ['0', '0']);
  t.equal((await call('PATCH', SETTINGS, { bursts: true })).status, 200);
  t.equal((await call('PATCH', SETTINGS, { bursts: true })).status, 200, 'again: nothing to audit');
  t.strictSame(await projected(), ['5000', '0']);
  for (const body of [{}, { bursts: 'yes' }, { other: true }])
    t.equal((await call('PATCH', SETTINGS, body)).status, 400);
  const { events } = (await call('GET', '/api/v1/dashboard/audit/?subject=account')).body;
  t.strictSame(
    events.map(({ action, details }: { action: string; details: object }) => [action, details]),
    [
      ['account.settings_changed', { bursts: true }],
      ['account.settings_changed', { ip_intelligence: false }],
      ['account.settings_changed', { bursts: false }],
    ],
  );
});

t.test('the audit log is filtered by subject and leaves as CSV and NDJSON', async (t) => {
  const { call } = await plane.customer();
  await call('PATCH', ME, { name: '=cmd' });
  await call('POST', '/api/v1/dashboard/keys/', { name: 'CI' });
  const actions = async (query: string) =>
    (await call('GET', `/api/v1/dashboard/audit/${query}`)).body.events.map(
      ({ action }: { action: string }) => action,
    );
  t.strictSame(await actions('?subject=key'), ['key.created']);
  t.ok((await actions('')).length > 1);
  const csv = await call('GET', '/api/v1/dashboard/audit.csv?subject=key');
  const lines = csv.text.trim().split('\r\n');
  t.match(lines[0], /^created_at,action,target/);
  t.match(lines[1], /key\.created/);
  t.equal(lines.length, 2);
  const ndjson = async (query: string) =>
    (await call('GET', `/api/v1/dashboard/audit.ndjson${query}`)).text
      .split('\n')
      .filter(Boolean)
      .map((line: string) => JSON.parse(line));
  t.strictSame(
    await ndjson('?subject=key'),
    (await call('GET', '/api/v1/dashboard/audit/?subject=key')).body.events,
  );
  t.equal((await ndjson('')).length, (await actions('')).length);
  for (const path of ['audit/', 'audit.csv', 'audit.ndjson'])
    t.equal((await call('GET', `/api/v1/dashboard/${path}?subject=nonsense`)).status, 400, path);
});
