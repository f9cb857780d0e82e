import { allFakers, type Faker } from '@faker-js/faker';

const PERSONS_PER_LANGUAGE = 60;
const SEED = 20_261_115;

/** Mailbox names as people form them from their own, in every language that the package has names of. */
export function personalNames(): string[] {
  const names = new Set<string>();
  for (const [language, faker] of Object.entries(allFakers)) {
    // Languages' shared entries have no names.
    if (language === 'base') continue;
    faker.seed(SEED);
    for (let i = 0; i < PERSONS_PER_LANGUAGE; i++) for (const name of namesOf(faker, i)) names.add(name);
  }
  return [...names].sort();
}

function namesOf(faker: Faker, index: number): string[] {
  const first = spell(faker.person.firstName());
  const last = spell(faker.person.lastName());
  const year = 1960 + (index % 45);
  return [
    `${first}.${last}`,
    `${first}${last}`,
    `${first.charAt(0)}${last}`,
    `${last}_${first.charAt(0)}`,
    `${first}${year}`,
    `${first}${year % 100}`,
    first,
    last,
  ].filter((name) => /^[\p{L}\p{M}\p{N}._-]{2,40}$/u.test(name));
}

/** As keyboards without accents have it, where that is still ASCII; other scripts stay as they are. */
function spell(name: string): string {
  const lower = name.toLowerCase().replace(/[\s'’.-]/g, '');
  const bare = lower.normalize('NFD').replace(/\p{M}/gu, '');
  return /^[a-z]+$/.test(bare) ? bare : lower.normalize('NFC');
}

const alphabets = {
  'letters and digits': 'abcdefghijklmnopqrstuvwxyz0123456789',
  hexadecimal: '0123456789abcdef',
  letters: 'abcdefghijklmnopqrstuvwxyz',
  consonants: 'bcdfghjklmnpqrstvwxz',
} as const;

/** Mailbox names as scripts make them: 8 to 16 characters of one alphabet each, the same in every run. */
export function generatedNames(count: number): Record<keyof typeof alphabets, string[]> {
  let state = SEED;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % below;
  };
  const kinds = Object.entries(alphabets).map(([kind, alphabet]) => [
    kind,
    Array.from({ length: count }, () =>
      Array.from({ length: 8 + next(9) }, () => alphabet.charAt(next(alphabet.length))).join(''),
    ),
  ]);
  return Object.fromEntries(kinds) as Record<keyof typeof alphabets, string[]>;
}
