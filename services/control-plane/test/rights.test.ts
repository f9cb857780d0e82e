import { randomBytes } from 'node:crypto';
import { sessionPath } from '@verdict/contracts/control-plane-api.js';
import { operatorRolesOf, rolesOf } from '@verdict/contracts/routes/rights.js';
import type { Route } from '@verdict/contracts/routes/route.js';
import { CONTROL_PLANE_ROUTES } from '@verdict/contracts/routes/routes.js';
import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import { ROLES } from '@verdict/domain/role.js';
import t from 'tap';
import { type Customer, startControlPlane } from './support/control-plane.js';
import { newMember } from './support/new-member.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores, { SECRETS_KEY: randomBytes(32).toString('base64url') });

const forUsers = ({ callers }: Route): boolean => callers === 'user' || callers === 'key or user';
const ROUTES = CONTROL_PLANE_ROUTES.filter(forUsers);

/** Without a body and with an id of nothing: a role that may call a route gets past the rights and no further. */
const ask = ({ call }: Customer, { method, path }: Route) =>
  call(method, `/api/v1${path.replace(/:\w+/, 'x')}`, ['GET', 'DELETE'].includes(method) ? undefined : {});

t.test('every route of a user answers exactly the roles that the table of rights names', async (t) => {
  const owner = await plane.customer();
  t.ok(ROUTES.length > 90);
  for (const role of ROLES) {
    const member = await newMember(plane, stores, owner.accountId, role);
    const { userId, accountId } = member;
    for (const route of ROUTES) {
      const { status, body } = await ask(member, route);
      const name = `${route.method} ${route.path} as ${role}`;
      if (rolesOf(route)?.includes(role)) {
        t.not(status, 401, name);
        t.not(body?.code, 'role_missing', name);
      } else {
        t.match({ status, body }, { status: 403, body: { code: 'role_missing' } }, name);
        t.match(body.error, `Your role in this account is ${role}. This needs the role owner`, name);
      }
      // Leaving worked.
      await stores.db.membership.upsert({
        where: { accountId_userId: { accountId, userId } },
        create: { accountId, userId, role },
        update: {},
      });
    }
  }
});

t.test('a token for an account that its user does not belong to opens no route', async (t) => {
  const [owner, stranger] = [await plane.customer(), await plane.customer()];
  const claims = plane.app.jwt.decode<{ payload: object }>(stranger.access, { complete: true })?.payload;
  const forged = plane.app.jwt.sign({ ...claims, acc: owner.accountId });
  const foreign: Customer = {
    ...stranger,
    call: (method, path, body) => plane.call(method, path, body, { authorization: `Bearer ${forged}` }),
  };
  for (const route of ROUTES)
    t.equal((await ask(foreign, route)).status, 401, `${route.method} ${route.path}`);
  const switched = await stranger.call('POST', '/api/v1/auth/jwt/switch/', { account_id: owner.accountId });
  t.equal(switched.status, 404, 'nor is there a switch to it');
});

t.test(
  'a removed member is out with the answer: on every route, at the gateways and for refreshes',
  async (t) => {
    const owner = await plane.customer();
    for (const role of ROLES) {
      const member = await newMember(plane, stores, owner.accountId, role);
      const { userId, accountId } = member;
      const { sid } = plane.app.jwt.decode<{ payload: { sid: string } }>(member.access, { complete: true })
        ?.payload ?? { sid: '' };
      const atGateway = () =>
        plane.internal.inject({
          url: sessionPath(accountId, userId, sid),
          headers: { 'x-internal-token': plane.deps.config.INTERNAL_TOKEN },
        });
      t.match((await atGateway()).json(), { live: true, role });
      t.equal((await owner.call('DELETE', `/api/v1/members/${userId}/`)).status, 200);
      for (const route of ROUTES)
        t.equal((await ask(member, route)).status, 401, `${route.method} ${route.path} after ${role}`);
      t.equal((await atGateway()).statusCode, 404);
      const refreshed = await plane.call('POST', '/api/v1/auth/jwt/refresh/', { refresh: member.refresh });
      const headers = { authorization: `Bearer ${refreshed.body.access}` };
      const me = await plane.call('GET', '/api/v1/auth/users/me/', undefined, headers);
      t.not(me.body.account.id, accountId, 'the login continues in their own account');
    }
  },
);

t.test('openapi.json names the roles of every route that has some, the gateway’s too', async (t) => {
  const { body } = await plane.call('GET', '/api/v1/openapi.json');
  for (const route of [...CONTROL_PLANE_ROUTES, ...Object.values<Route>(VALIDATION_ROUTES)]) {
    const path = `/api/v1${route.path.replace(/:(\w+)/g, '{$1}')}`;
    const roles: readonly string[] | undefined = body.paths[path][route.method.toLowerCase()]['x-roles'];
    t.same(roles, rolesOf(route) ?? operatorRolesOf(route), `${route.method} ${route.path}`);
    t.equal(roles !== undefined, forUsers(route) || route.callers === 'operator');
  }
});
