import type { Route } from '@verdict/contracts/routes/route.js';
import { CONTROL_PLANE_ROUTES } from '@verdict/contracts/routes/routes.js';
import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';

const ROUTES: readonly Route[] = [...CONTROL_PLANE_ROUTES, ...Object.values(VALIDATION_ROUTES)];

/** Acts that would end the attack, because they end the session or the account that it attacks from. */
const ENDS = ['DELETE /auth/users/me/', 'DELETE /auth/sessions/', 'POST /auth/users/set_password/'];

/** Every route of the contract that a free account reaches: a new one is attacked the day it is written. */
export const ATTACKED = ROUTES.filter(
  ({ method, path, callers }) => callers !== 'operator' && !ENDS.includes(`${method} ${path}`),
);
