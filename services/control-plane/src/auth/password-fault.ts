import { COMMON_CORES } from './common-passwords.js';

/** The fault of a new password, if any. The schema checks its length. */
export function passwordFault(password: string, email: string): string | undefined {
  const lower = password.toLowerCase();
  const [local = ''] = email.toLowerCase().split('@');
  if (lower === email.toLowerCase() || (local.length > 3 && core(lower) === core(local))) {
    return 'is too close to the email address';
  }
  if (new Set(lower).size < 4) return 'repeats too few characters';
  if (isRun(lower)) return 'is a plain sequence';
  if (COMMON_CORES.has(core(lower)) || COMMON_CORES.has(core(unswap(lower)))) return 'is too common';
  return undefined;
}

/** The word inside: without the digits and signs around it. */
const core = (text: string): string => text.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '');

const SWAPS: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/** Only between letters: the 1 of "passw0rd1" is an appendix, its 0 is an o. */
const unswap = (text: string): string =>
  text.replace(/(?<=\p{L})[@431!0$57]+(?=\p{L})/gu, (run) =>
    [...run].map((sign) => SWAPS[sign] ?? sign).join(''),
  );

/** 1234567890, abcdefghij, 9876543210: each character one step from the last (and 0 after 9). */
function isRun(text: string): boolean {
  const codes = [...text].map((sign) => sign.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, i) => code - (codes[i] ?? 0));
  return [1, -1].some((step) => steps.every((found) => found === step || found === step * -9));
}
