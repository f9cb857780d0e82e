/** Values of one kind that occur twice become components; a name belongs to its most frequent value, another gets its longer one. */
export function createSharedParts<Value extends object>(kind: string) {
  const found = new Map<string, { readonly names: readonly string[]; count: number }>();
  const names = () => {
    const named = new Map<string, string>();
    const frequent = [...found].filter(([, { count }]) => count > 1);
    for (const [text, { names }] of frequent.sort(([, a], [, b]) => b.count - a.count)) {
      const name = names.find((each) => ![...named.values()].includes(each));
      if (name !== undefined) named.set(text, name);
    }
    return named;
  };
  let named: ReadonlyMap<string, string> | undefined;
  return {
    note(names: readonly string[], value: Value): void {
      const text = JSON.stringify(value);
      const known = found.get(text) ?? { names, count: 0 };
      known.count += 1;
      found.set(text, known);
    },
    /** After every value was noted. */
    refer(value: Value): Value | { readonly $ref: string } {
      named ??= names();
      const name = named.get(JSON.stringify(value));
      return name === undefined ? value : { $ref: `#/components/${kind}/${name}` };
    },
    components(): Readonly<Record<string, Value>> {
      named ??= names();
      return Object.fromEntries([...named].map(([text, name]) => [name, JSON.parse(text) as Value]));
    },
  };
}
