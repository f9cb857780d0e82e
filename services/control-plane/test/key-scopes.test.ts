import { randomFillSync } from 'node:crypto';
import { API_PREFIX } from '@verdict/contracts/api-paths.js';
import { CONTROL_PLANE_ROUTES } from '@verdict/contracts/routes/routes.js';
import { createApiKey } from '@verdict/domain/api-key.js';
import { KEY_SCOPES, type KeyScope } from '@verdict/domain/key-words.js';
import t from 'tap';
import { type Customer, callerOf, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const plane = await startControlPlane(t, await startStores(t));

async function keyOf(owner: Customer, terms: object) {
  const { key, api_key } = (await owner.call('POST', '/api/v1/dashboard/keys/', { name: 'a key', ...terms }))
    .body;
  return { id: key.id as string, call: callerOf(plane.app, { 'x-api-key': api_key }) };
}
const addressOf = (path: string) => `${API_PREFIX}${path.replaceAll(/:\w+/g, '1')}`;
const CLOSED = CONTROL_PLANE_ROUTES.filter(({ callers }) => callers === 'user' || callers === 'operator');
const SCOPED = CONTROL_PLANE_ROUTES.filter(({ callers }) => callers === 'key or user');

const SCOPES = [...new Set(SCOPED.flatMap(({ scope }) => scope ?? []))];

t.test('every route that takes a key names its scope, and lacking it is a 403', async (t) => {
  const owner = await plane.customer();
  const keys = new Map<KeyScope | 'test', Awaited<ReturnType<typeof keyOf>>>();
  for (const scope of SCOPES)
    keys.set(scope, await keyOf(owner, { scopes: KEY_SCOPES.filter((one) => one !== scope) }));
  keys.set('test', await keyOf(owner, { mode: 'test', scopes: KEY_SCOPES }));
  for (const { method, path, scope } of SCOPED) {
    const name = `${method} ${path}`;
    if (!scope) return t.fail(`${name} has no scope`);
    for (const each of [scope, 'test'] as const)
      t.match(
        await keys.get(each)?.call(method, addressOf(path)),
        { status: 403, body: { code: 'scope_missing' } },
        `${name}: ${each}`,
      );
  }
});

t.test('a key opens the routes of its scope', async (t) => {
  const owner = await plane.customer();
  for (const scope of SCOPES) {
    const { call } = await keyOf(owner, { scopes: [scope] });
    for (const { method, path } of SCOPED.filter((route) => route.scope === scope)) {
      const { status } = await call(method, addressOf(path));
      t.notOk([401, 403].includes(status), `${method} ${path}: ${status}`);
    }
  }
});

t.test('a key changes lists and policies, and the audit log names it', async (t) => {
  const owner = await plane.customer();
  const { id, call } = await keyOf(owner, { scopes: ['lists', 'policies'] });
  t.equal((await call('POST', '/api/v1/lists/block/', { value: 'example.com' })).status, 201);
  t.equal((await call('POST', '/api/v1/lists/block/import/', { entries: ['a@b.example'] })).status, 200);
  const rules = [
    {
      name: 'All',
      when: { all: [{ field: 'score', op: 'gte', value: 0 }] },
      then: { at_least: 'challenge' },
    },
  ];
  const saved = await call('POST', '/api/v1/policies/', { rules });
  t.match(saved, { status: 201, body: { policy: { version: 1, created_by: null } } });
  t.equal((await call('PUT', '/api/v1/policies/live/', { version: 1 })).status, 200);
  const { events } = (await owner.call('GET', '/api/v1/dashboard/audit/')).body;
  for (const action of ['list.added', 'list.imported', 'policy.created', 'policy.live_set']) {
    const event = events.find((each: { action: string }) => each.action === action);
    t.match(event, { user_id: null, details: { key_id: id } }, action);
  }
});

t.test('a key without scopes of its own changes neither', async (t) => {
  const { call } = await keyOf(await plane.customer(), {});
  for (const path of ['/api/v1/lists/block/', '/api/v1/policies/'])
    t.match(await call('GET', path), { status: 403, body: { code: 'scope_missing' } }, path);
});

t.test('a valid key at a route for users is refused with the reason, a stranger’s as invalid', async (t) => {
  const owner = await plane.customer();
  const { call } = await keyOf(owner, { scopes: KEY_SCOPES });
  const stranger = callerOf(plane.app, { 'x-api-key': createApiKey(randomFillSync) });
  for (const { method, path } of CLOSED) {
    const name = `${method} ${path}`;
    const refused = await call(method, addressOf(path));
    t.match(refused, { status: 403, body: { code: 'forbidden', error: /^API keys cannot/ } }, name);
    t.match(await stranger(method, addressOf(path)), { status: 401, body: { code: 'invalid_token' } }, name);
  }
});

t.test('a user who also sends a key keeps the rights of the user', async (t) => {
  const owner = await plane.customer();
  const { api_key } = (await owner.call('POST', '/api/v1/dashboard/keys/', { name: 'narrow' })).body;
  for (const path of ['/api/v1/lists/block/', '/api/v1/policies/', '/api/v1/dashboard/keys/'])
    t.equal((await owner.call('GET', path, undefined, { 'x-api-key': api_key })).status, 200, path);
});
