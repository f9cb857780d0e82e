/**
 * Where a value differs from what is expected of it. An object needs the fields that are named, a list all of its entries, and a
 * text that begins with `~` only has to be found in the value.
 */
export function matches(value: unknown, expected: unknown, at: string): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(value)) return [differs(value, expected, at)];
    if (value.length !== expected.length)
      return [`${at} has ${value.length} entries instead of ${expected.length}`];
    return expected.flatMap((each, i) => matches(value[i], each, `${at}[${i}]`));
  }
  if (isObject(expected)) {
    if (!isObject(value)) return [differs(value, expected, at)];
    return Object.entries(expected).flatMap(([name, each]) => matches(value[name], each, `${at}.${name}`));
  }
  const isSame =
    typeof expected === 'string' && expected.startsWith('~')
      ? String(value).includes(expected.slice(1))
      : (value ?? null) === expected;
  return isSame ? [] : [differs(value, expected, at)];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const differs = (value: unknown, expected: unknown, at: string): string =>
  `${at} is ${JSON.stringify(value)} instead of ${JSON.stringify(expected)}`;
