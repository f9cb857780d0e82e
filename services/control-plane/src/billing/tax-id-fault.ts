import { checkVAT, countries } from 'jsvat';

/** Tax numbers of these countries go without the letters of the country. */
const NATIONAL = new Set(['AD', 'BR', 'RS', 'RU']);

const VAT_COUNTRIES = new Set(
  countries.map(({ codes: [code = ''] }) => code).filter((code) => !NATIONAL.has(code)),
);

/** Greece and Northern Ireland write another code than ISO has. */
const PREFIXES: Readonly<Record<string, string>> = { GR: 'EL' };

/** Why a tax id cannot be right: where a country publishes form and checksum of its VAT numbers, by both. */
export function taxIdFault(taxId: string, country: string | null): string | null {
  const compact = taxId.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (country !== null && !VAT_COUNTRIES.has(country)) return generalFault(compact);
  if (!/^[A-Z]{2}/.test(compact))
    return country === null ? generalFault(compact) : `must begin with ${PREFIXES[country] ?? country}`;
  const { isValid, isValidFormat, isSupportedCountry } = checkVAT(
    compact.replace(/^XI/, 'GB').replace(/^(NO\d{9})MVA$/, '$1'),
    countries,
  );
  if (isValid) return null;
  if (isValidFormat) return 'has a digit that does not fit the others';
  if (isSupportedCountry) return `does not look like a VAT number of ${compact.slice(0, 2)}`;
  return country === null ? generalFault(compact) : `must begin with ${PREFIXES[country] ?? country}`;
}

const generalFault = (compact: string): string | null =>
  /^[A-Z0-9]{4,30}$/.test(compact) && /\d{3}/.test(compact) ? null : 'does not look like a tax id';
