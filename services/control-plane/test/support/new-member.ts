import type { Role } from '@verdict/domain/role.js';
import { type ControlPlane, type Customer, PASSWORD } from './control-plane.js';
import type { Stores } from './stores.js';

/** A customer who is also a member of another account; `call` asks in that one. */
export async function newMember(
  plane: ControlPlane,
  { db }: Stores,
  accountId: string,
  role: Role,
): Promise<Customer> {
  const person = await plane.customer();
  await db.membership.create({ data: { accountId, userId: person.userId, role } });
  return inAccount(plane, person, accountId);
}

/** A new login of a customer, switched to one of their accounts. */
export async function inAccount(plane: ControlPlane, person: Customer, accountId: string): Promise<Customer> {
  const login = await plane.call('POST', '/api/v1/auth/jwt/create/', {
    email: person.email,
    password: PASSWORD,
  });
  const bearer = (access: string) => ({ authorization: `Bearer ${access}` });
  const switched = await plane.call(
    'POST',
    '/api/v1/auth/jwt/switch/',
    { account_id: accountId },
    bearer(login.body.access),
  );
  if (switched.status !== 200) throw new Error(switched.text);
  const { access } = switched.body;
  return {
    ...person,
    access,
    refresh: login.body.refresh,
    accountId,
    call: (method, path, body, headers) => plane.call(method, path, body, { ...bearer(access), ...headers }),
  };
}
