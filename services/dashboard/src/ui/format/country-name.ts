const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** "Germany (DE)"; a code that is still being typed stays as it is. */
export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  const name = names.of(code) ?? code;
  return name === code ? code : `${name} (${code})`;
}
