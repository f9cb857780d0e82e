/** The services that have a role of their own in the Postgres of the tests, as in Compose and Kubernetes. */
export type DatabaseRole = 'control_plane' | 'worker' | 'operator';
const ROLES: readonly DatabaseRole[] = ['control_plane', 'worker', 'operator'];

/** The same database, reached as one of them. All have the password of the owner: these servers live for a run. */
export function roleUrl(ownerUrl: string, role: DatabaseRole): string {
  const url = new URL(ownerUrl);
  url.username = `verdict_${role}`;
  return url.href;
}

/** What the migration command is told to make the roles. */
export const roleSettings = (ownerUrl: string): Record<string, string> =>
  Object.fromEntries(ROLES.map((role) => [`DATABASE_URL_${role.toUpperCase()}`, roleUrl(ownerUrl, role)]));
