export interface RolesInput {
  readonly names: Iterable<string>;
  readonly added: Iterable<string>;
  readonly unattended: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
}

/** Mailbox names without separators ("no-reply" is kept as "noreply"), each a role or unattended. */
export function mergeRoles(input: RolesInput): Map<string, 'role' | 'unattended'> {
  const names = new Map<string, 'role' | 'unattended'>();
  for (const raw of [...input.names, ...input.added]) {
    const lower = raw.trim().toLowerCase();
    const name = lower.replace(/[-_.]/g, '');
    if (!/^[\p{L}\p{M}\p{N}]+$/u.test(name) || input.ignored.has(lower)) continue;
    names.set(name, isUnattended(name, input.unattended) ? 'unattended' : 'role');
  }
  for (const name of input.unattended) names.set(name, 'unattended');
  return new Map([...names].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isUnattended(name: string, unattended: ReadonlySet<string>): boolean {
  return (
    unattended.has(name) || name.includes('noreply') || name.includes('n0reply') || name.includes('norep1y')
  );
}
