import { ROLES, type Role } from '@verdict/domain/role.js';

export const MEMBERS_TEXTS = {
  title: 'Members',
  invite: 'Invite member',
  role: 'Role',
};

export const SIGN_ON_TEXTS = {
  title: 'Single sign-on',
  setUp: 'Set up',
  remove: 'Remove single sign-on',
  issuer: 'Issuer',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  domains: 'Domains',
  defaultRole: 'Default role',
};

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  analyst: 'Analyst',
  billing: 'Billing',
};

export const ROLE_HINTS: Readonly<Record<Role, string>> = {
  owner: 'Everything, including billing, other owners and deleting the account.',
  admin: 'Keys, rules, lists, webhooks, settings and members below owner. No billing.',
  analyst: 'Checks, lists and bulk files. No keys, webhooks or billing.',
  billing: 'Usage, invoices and the plan. Sees no checked addresses.',
};

/** The roles that a role may give and take. */
export const rolesFor = (own: Role): readonly Role[] =>
  own === 'owner' ? ROLES : ROLES.filter((role) => role !== 'owner');
