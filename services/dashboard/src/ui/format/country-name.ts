import { COUNTRY_CODES } from '@verdict/contracts/country-codes.js';

const names = new Intl.DisplayNames('en', { type: 'region' });

/** "Germany (DE)". Browsers also name codes that are not of ISO 3166, such as UK: these stay as they are. */
export const countryName = (code: string): string =>
  COUNTRY_CODES.includes(code) ? `${names.of(code)} (${code})` : code;
