type Search = Readonly<Record<string, unknown>>;

// The router lays what a page accepts over what the address says, so that what is refused must be said to be undefined: left
// out, it would pass.

/** The named parameters as far as they are text; TanStack reads a bare number as one, and it was typed as text. */
export function text<Name extends string>(search: Search, ...names: Name[]): { [K in Name]?: string } {
  const found: { [K in Name]?: string } = {};
  for (const name of names) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') found[name] = value;
    else if (typeof value === 'number') found[name] = String(value);
    else if (name in search) Object.assign(found, { [name]: undefined });
  }
  return found;
}

/** The parameter when it is one of the values that are known. */
export function picked<Name extends string, const Value extends string>(
  search: Search,
  name: Name,
  values: readonly Value[],
): { [K in Name]?: Value } {
  const value = values.find((one) => one === search[name]);
  return (name in search ? { [name]: value } : {}) as { [K in Name]?: Value };
}

/** The parameter when it is a whole number from 1 on. */
export function whole<Name extends string>(search: Search, name: Name): { [K in Name]?: number } {
  const value = search[name];
  const isWhole = Number.isSafeInteger(value) && (value as number) > 0;
  return (name in search ? { [name]: isWhole ? value : undefined } : {}) as { [K in Name]?: number };
}

/** The filters of a page that a form sets. */
export type FilterChange<Filters> = { readonly [Name in keyof Filters]?: string | undefined };

/** The filters of a page after a change; what is empty is not in the address. */
export const changed = <Filters extends object>(filters: Filters, part: FilterChange<Filters>): Filters =>
  Object.fromEntries(Object.entries({ ...filters, ...part }).filter(([, value]) => value)) as Filters;

/** A path of our own to go to: never a way to send somebody elsewhere. */
export function ownPath<Name extends string>(search: Search, name: Name): { [K in Name]?: string } {
  const value = search[name];
  const own = typeof value === 'string' && /^\/(?![/\\])/.test(value);
  return (name in search ? { [name]: own ? value : undefined } : {}) as { [K in Name]?: string };
}
