/** The services with their own Postgres role in tests, as in Compose and Kubernetes. */
const ROLES = ['control_plane', 'worker', 'operator'] as const;
export type DatabaseRole = (typeof ROLES)[number];

/** The same database, reached as one of them. All have the password of the owner: these servers live for a run. */
export function roleUrl(ownerUrl: string, role: DatabaseRole): string {
  const url = new URL(ownerUrl);
  url.username = `verdict_${role}`;
  return url.href;
}

/** The settings from which the migration command creates the roles. */
export const roleSettings = (ownerUrl: string): Record<string, string> =>
  Object.fromEntries(ROLES.map((role) => [`DATABASE_URL_${role.toUpperCase()}`, roleUrl(ownerUrl, role)]));
