export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The query string of a request; empty values are left out. */
export function searchOf(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
