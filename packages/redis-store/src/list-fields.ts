import type { ListedValue } from '@verdict/domain/account-list.js';
import { parseIpNetwork } from '@verdict/domain/address/ip-network.js';
import { prefixLength } from '@verdict/domain/prefix-lengths.js';

/** The hash of an account's lists as step/lists.lua reads it, whole. */
export function listFields(entries: readonly ListedValue[]): Record<string, string> {
  const networks = new Set(entries.flatMap((entry) => (entry.kind === 'network' ? [lengthOf(entry)] : [])));
  return {
    ...Object.fromEntries(entries.map((entry) => [listField(entry), listText(entry)])),
    // Prefix lengths in use, the longest first: the step looks for these and for no other.
    // Says that mail servers are worth looking for.
    ...(entries.some(({ match }) => match === 'mx') && { mx: '1' }),
    ...(networks.size > 0 && { networks: [...networks].sort(longestFirst).join(' ') }),
  };
}

/** Where an entry is found: by its value, behind a word no other value begins with, or by the digits of its prefix. */
export function listField(entry: Pick<ListedValue, 'kind' | 'match' | 'value'>): string {
  if (entry.match !== 'exact') return `${entry.match} ${entry.value}`;
  return entry.kind === 'network' ? `${lengthOf(entry)} ${prefixOf(entry)}` : entry.value;
}

/** "<list>:<kind>", then the microsecond of its end and the text of a network where it has one. */
export function listText({ list, kind, match, value, expires_at }: ListedValue): string {
  const until = expires_at === null ? '' : String(Date.parse(expires_at) * 1000);
  const text = kind === 'network' ? `:${value}` : '';
  return `${list}:${match === 'exact' ? kind : match}${until || text ? `:${until}` : ''}${text}`;
}

/** The digits alone do not say which family they are of. */
export const lengthOf = ({ value }: Pick<ListedValue, 'value'>): string => prefixLength(value);

/** The leading digits that an address of this network has, the last of them with its spare bits cleared. */
function prefixOf({ value }: Pick<ListedValue, 'value'>): string {
  const parsed = parseIpNetwork(value);
  if (!parsed.ok) throw new Error(`${value} ${parsed.message}`);
  return parsed.network.first.slice(0, Math.ceil(Number(value.split('/')[1]) / 4));
}

const longestFirst = (a: string, b: string): number => Number(b.slice(2)) - Number(a.slice(2));
