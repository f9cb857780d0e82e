type Search = Readonly<Record<string, unknown>>;

/** The named parameters as far as they are text; TanStack reads a bare number as one, and it was typed as text. */
export function text<Name extends string>(search: Search, ...names: Name[]): { [K in Name]?: string } {
  const found: { [K in Name]?: string } = {};
  for (const name of names) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') found[name] = value;
    else if (typeof value === 'number') found[name] = String(value);
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
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Value };
}
