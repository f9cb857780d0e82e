/**
 * Money is a whole number of minor units (cents) with its currency beside it; no float ever holds an amount. How many
 * digits a currency has is what ISO 4217 says, as Node knows it.
 */
export function minorDigits(currency: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** `1234550` of EUR as `12,345.50`; without separators for programs. */
export function formatAmount(minor: number, currency: string, separator = ','): string {
  if (!Number.isSafeInteger(minor)) throw new Error(`${minor} is not an amount in minor units`);
  const digits = minorDigits(currency);
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits).replace(/\B(?=(\d{3})+$)/g, separator);
  return `${minor < 0 ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`;
}

export const formatMoney = (minor: number, currency: string): string =>
  `${formatAmount(minor, currency)} ${currency}`;

/** `-12.50` of EUR as -1250; null when it is not an amount of this currency. */
export function parseAmount(text: string, currency: string): number | null {
  const found = /^([+-]?)(\d{1,12})(?:\.(\d+))?$/.exec(text.trim());
  const digits = minorDigits(currency);
  const [, sign, whole = '', fraction = ''] = found ?? [];
  if (!found || fraction.length > digits) return null;
  const minor = Number(`${whole}${fraction.padEnd(digits, '0')}`);
  return sign === '-' ? -minor : minor;
}

/** `1900` as `19 %`, `725` as `7.25 %`. */
export function formatRate(hundredths: number): string {
  const text = String(hundredths).padStart(3, '0');
  const fraction = text.slice(-2).replace(/0+$/, '');
  return `${text.slice(0, -2)}${fraction && `.${fraction}`} %`;
}

/** `19` or `7.25` (percent) as hundredths of a percent; null when it is none. */
export function parseRate(text: string): number | null {
  const found = /^(\d{1,3})(?:\.(\d{1,2}))?\s*%?$/.exec(text.trim());
  if (!found) return null;
  const rate = Number(`${found[1]}${(found[2] ?? '').padEnd(2, '0')}`);
  return rate <= 10_000 ? rate : null;
}
