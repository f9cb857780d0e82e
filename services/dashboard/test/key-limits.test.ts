import t from 'tap';
import type { ApiKey } from '../src/api/keys.ts';
import { clientText } from '../src/pages/keys/client-text.ts';
import { limitsOf, limitsText } from '../src/pages/keys/key-limits.ts';

const form = (fields: Readonly<Record<string, string>>, ...scopes: string[]) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  for (const scope of scopes) data.append('scopes', scope);
  return data;
};

t.test('an empty field is no limit, and a key expires at the end of its day', async (t) => {
  t.strictSame(limitsOf(form({ expires_on: '', monthly_quota: ' ', allowed_ips: '' }, 'check', 'usage')), {
    expires_at: null,
    allowed_ips: [],
    monthly_quota: null,
    scopes: ['check', 'usage'],
  });
  t.strictSame(
    limitsOf(
      form({ expires_on: '2026-12-31', monthly_quota: '500', allowed_ips: '203.0.113.0/24, ::1' }, 'check'),
    ),
    {
      expires_at: '2026-12-31T23:59:59Z',
      allowed_ips: ['203.0.113.0/24', '::1'],
      monthly_quota: 500,
      scopes: ['check'],
    },
  );
});

const key: ApiKey = {
  id: 'key_1',
  name: 'CI',
  prefix: 'vrd_live_',
  last_four: 'abcd',
  status: 'active',
  mode: 'live',
  created_at: '2026-11-01T00:00:00Z',
  last_used_at: null,
  expires_at: null,
  allowed_ips: [],
  monthly_quota: null,
  scopes: ['check', 'jobs', 'usage'],
  client: null,
  dropped_ips: 0,
  dropped_ips_at: null,
  old_value: null,
};

t.test('a row names only the limits that a key has', async (t) => {
  t.equal(limitsText(key), '');
  t.equal(
    limitsText({ ...key, mode: 'test', expires_at: '2020-01-31T23:59:59Z', scopes: ['check'] }),
    'test key · expired 2020-01-31 · only check',
  );
  t.equal(limitsText({ ...key, scopes: ['check', 'jobs', 'lists', 'usage'] }), 'also lists');
  t.equal(
    limitsText({ ...key, monthly_quota: 1500, allowed_ips: ['::1'] }),
    '1,500 a month · from one network',
  );
});

t.test('a row names the client that used its key, and the IPs that were dropped', async (t) => {
  t.equal(clientText(key), '');
  t.equal(clientText({ ...key, client: 'verdict-node/0.2.0' }), 'verdict-node 0.2.0');
  t.equal(
    clientText({
      ...key,
      client: 'verdict-php/0.2.0',
      dropped_ips: 1240,
      dropped_ips_at: '2026-11-18T23:00:00Z',
    }),
    'verdict-php 0.2.0 · 1,240 IPs dropped, last on 18 Nov',
  );
});
