import { rolesOf } from '@verdict/contracts/routes/rights.js';
import type { Route } from '@verdict/contracts/routes/route.js';
import type { Role } from '@verdict/domain/role.js';
import { roleMissing } from './errors.js';

/** Refuses a member whose role may not call the route. */
export function requireRole(route: Route, role: Role): void {
  const roles = rolesOf(route);
  if (roles && !roles.includes(role)) throw roleMissing(role, roles);
}
