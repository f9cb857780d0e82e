/** The roles of a member of an account. */
export const ROLES = ['owner', 'admin', 'analyst', 'billing'] as const;
export type Role = (typeof ROLES)[number];

/** The roles that single sign-on gives to people who come in for the first time. */
export const SSO_ROLES = ['admin', 'analyst', 'billing'] as const;
export type SsoRole = (typeof SSO_ROLES)[number];

/** The roles of people who run this server, from reading to everything. */
export const OPERATOR_ROLES = ['support', 'finance', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
