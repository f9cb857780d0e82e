const LENGTH_MIN = 8;
const SWITCHES_MIN = 4;
const VOWELLESS_RUN_MIN = 7;

const SEPARATOR = 1;
const DIGIT = 2;
const CONSONANT = 3;
const VOWEL = 4;

/**
 * Mailbox names that a generator made: letters and digits taking turns (a8k2j9x7), or a long run without a vowel
 * (xkqzvbnt93). Only for ASCII, and deliberately blind to much: krzysztof, schwarz and jsmith1984 must pass.
 */
export function looksRandom(local: string): boolean {
  if (local.length < LENGTH_MIN) return false;
  let switches = 0;
  let run = 0;
  let longestRun = 0;
  let previous = SEPARATOR;
  for (let i = 0; i < local.length; i++) {
    const kind = kindOf(local.charCodeAt(i));
    if (kind === 0) return false;
    run = kind === CONSONANT ? run + 1 : 0;
    if (run > longestRun) longestRun = run;
    if (kind !== SEPARATOR && previous !== SEPARATOR && (kind === DIGIT) !== (previous === DIGIT)) switches++;
    previous = kind;
  }
  return switches >= SWITCHES_MIN || longestRun >= VOWELLESS_RUN_MIN;
}

/** 0 for anything that is not an ASCII letter, digit or separator. */
function kindOf(code: number): number {
  if (code >= 48 && code <= 57) return DIGIT;
  if (code === 45 || code === 46 || code === 95) return SEPARATOR;
  const lower = code | 32;
  if (lower < 97 || lower > 122) return 0;
  // a, e, i, o, u and y, which carries syllables in Slavic and Welsh names.
  return lower === 97 || lower === 101 || lower === 105 || lower === 111 || lower === 117 || lower === 121
    ? VOWEL
    : CONSONANT;
}
