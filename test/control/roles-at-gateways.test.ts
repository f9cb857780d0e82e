import { rolesOf } from '@verdict/contracts/routes/rights.js';
import type { Route } from '@verdict/contracts/routes/route.js';
import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import { ROLES } from '@verdict/domain/role.js';
import { http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import t from 'tap';
import { newMember, passwordLogin } from '../harness/new-member.js';

// The routes that gateways answer themselves; services/control-plane/test/rights.test.ts has the matrix of all others.

const stack = await openStack();
t.teardown(() => stack.stop());
const [base = ''] = stack.baseUrls;

const ROUTES = Object.values<Route>(VALIDATION_ROUTES).filter(
  ({ callers }) => callers === 'user' || callers === 'key or user',
);
const email = 'someone@example.com';
/** A body that each route takes. A route without one fails the first test. */
const BODIES: Readonly<Record<string, (keyId: string) => object>> = {
  'POST /check/': (api_key_id) => ({ email, api_key_id }),
  'POST /check/batch/': (api_key_id) => ({ items: [{ email }], api_key_id }),
};
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const ask = (gateway: string, route: Route, access: string, keyId = stack.apiKeyId) =>
  http<{ code?: string }>(`${gateway}${route.path.slice(1)}`, {
    method: route.method,
    json: BODIES[nameOf(route)]?.(keyId),
    headers: { authorization: `Bearer ${access}` },
  });

t.test('every route of a user at the gateways is tried', async (t) => {
  t.same(ROUTES.map(nameOf).sort(), Object.keys(BODIES).sort());
});

t.test('gateways answer exactly the roles that the table names, and no removed member', async (t) => {
  const owner = await passwordLogin(base, stack.email, stack.password);
  for (const role of ROLES) {
    const { id, access } = await newMember(base, owner, role);
    const each = async (expected: (route: Route) => object, when: string) => {
      for (const gateway of stack.baseUrls)
        for (const route of ROUTES) {
          const { status, body } = await ask(gateway, route, access);
          t.match({ status, body }, expected(route), `${nameOf(route)} ${when} ${role}`);
        }
    };
    await each(
      (route) =>
        rolesOf(route)?.includes(role)
          ? { status: 200, body: { success: true } }
          : { status: 403, body: { code: 'role_missing' } },
      'as',
    );
    const removed = await http(`${base}members/${id}/`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${owner}` },
    });
    t.equal(removed.status, 200);
    await each(() => ({ status: 401 }), 'after removing');
  }
});

t.test('nobody charges the key of an account that they are no member of', async (t) => {
  const other = await stack.createAccount();
  const stranger = await passwordLogin(base, other.email, other.password);
  for (const gateway of stack.baseUrls)
    for (const route of ROUTES) {
      t.match(await ask(gateway, route, stranger), { status: 403 }, `${nameOf(route)} of a stranger`);
      t.equal((await ask(gateway, route, stranger, other.apiKeyId)).status, 200, 'with a key of their own');
    }
});
