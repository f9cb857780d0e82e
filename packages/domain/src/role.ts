/** The roles of a member of an account. */
export const ROLES = ['owner', 'admin', 'analyst', 'billing'] as const;
export type Role = (typeof ROLES)[number];
