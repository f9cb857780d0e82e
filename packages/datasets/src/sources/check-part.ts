import { parseMailDomain } from '@verdict/domain/address/parse-mail-domain.js';
import { SWING_MAX } from '../find-swing.js';
import { neverListed } from '../never-disposable.js';
import { checkNetworks } from './check-networks.js';
import type { Part } from './part.js';
import type { ListedSource } from './source.js';

const MALFORMED_MAX = 0.02;
/** Below this many names a share says little: ten names more are not a broken source. */
const SWING_FROM = 50;

/**
 * Why a part must not be used, or undefined. It is judged alone and against the last answer of the same source, so one
 * poisoned source is left out by name and the others still pass.
 */
export function checkPart(
  source: ListedSource,
  part: Part,
  options: {
    /** How many names the source had before, where that is known. */
    readonly namesBefore: number | undefined;
    readonly relays: ReadonlySet<string>;
    readonly swingAccepted: boolean;
  },
): string | undefined {
  if (part.names.length === 0) return 'it holds no names';
  const broken = source.marks === undefined ? undefined : checkNetworks(source.marks, part.names);
  if (broken !== undefined) return broken;
  // Roles are not domains, and rankings contain ranks.
  const domains = !['role_prefixes', 'established_sites', 'ip_networks'].includes(source.feeds);
  const malformed = domains ? countMalformed(part.names) : 0;
  if (malformed > part.names.length * MALFORMED_MAX)
    return `${malformed} of ${part.names.length} entries are not domains`;
  if (source.feeds === 'disposable_domains') {
    const poison = findPoison(source, part, options.relays);
    if (poison !== undefined) return `it lists ${poison}, which is on the never-list`;
  }
  const { namesBefore, swingAccepted } = options;
  if (namesBefore !== undefined && !swingAccepted) {
    const change = Math.abs(part.names.length - namesBefore);
    if (change > Math.max(namesBefore * SWING_MAX, SWING_FROM))
      return `it went from ${namesBefore} to ${part.names.length} entries, more than ${SWING_MAX * 100} %`;
  }
  return undefined;
}

function countMalformed(names: readonly string[]): number {
  return names.filter((name) => !parseMailDomain(name).ok).length;
}

/** Relays are argued about and taken out later; that a source lists one does not make it a forgery. */
function findPoison(source: ListedSource, part: Part, relays: ReadonlySet<string>): string | undefined {
  const names = new Set(part.names.map((name) => name.toLowerCase()));
  const tolerated = new Set(source.tolerates ?? []);
  return neverListed.find((name) => names.has(name) && !relays.has(name) && !tolerated.has(name));
}
