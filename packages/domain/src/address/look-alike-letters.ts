/**
 * Letters of different alphabets that ordinary type draws alike, one line per shape. The first alphabet that can draw
 * a whole word owns it; accents are removed first, so that ё and ë are twins too.
 */
const alphabets = ['Latin', 'Cyrillic', 'Greek', 'Armenian'] as const;
const shapes: readonly (readonly string[])[] = [
  ['a', 'а', '', ''],
  ['c', 'с', '', ''],
  ['e', 'е', '', ''],
  ['g', '', '', 'ց'],
  ['h', 'һ', '', 'հ'],
  ['i', 'і', '', ''],
  ['j', 'ј', '', ''],
  ['l', 'ӏ', '', ''],
  ['o', 'о', 'ο', 'օ'],
  ['p', 'р', 'ρ', ''],
  ['q', '', '', 'զ'],
  ['s', 'ѕ', '', ''],
  ['u', '', 'υ', 'ս'],
  ['v', '', 'ν', ''],
  ['x', 'х', 'χ', ''],
  ['y', 'у', 'γ', ''],
  ['y', 'ү', '', ''],
  ['æ', 'ӕ', '', ''],
  ['ç', 'ҫ', '', ''],
  ['ħ', 'ћ', '', ''],
  ['ə', 'ә', '', ''],
  ['ɛ', 'є', 'ε', ''],
  ['ß', '', 'β', ''],
  ['ı', '', 'ι', ''],
  ['', 'к', 'κ', ''],
  ['', 'ө', 'θ', ''],
  ['', 'п', 'π', ''],
  ['', 'ф', 'φ', ''],
];

/** How each alphabet draws a letter that several of them have. */
const drawings = new Map<string, Map<number, string>>();
for (const shape of shapes) {
  for (const own of shape.filter((letter) => letter !== '')) {
    const drawn = drawings.get(own) ?? new Map<number, string>();
    shape.forEach((letter, alphabet) => {
      if (letter !== '') drawn.set(alphabet, letter);
    });
    drawings.set(own, drawn);
  }
}
const scripts = alphabets.map((name) => new RegExp(`\\p{Script=${name}}`, 'u'));
const accents = /\p{M}/gu;
const notLetter = /\P{L}/gu;

/**
 * Whether one of these words imitates a word of another alphabet. The first alphabet that can draw all its letters
 * owns it, and an initial belongs to the alphabet of the first unambiguous word (а in иванов.а), so of two names that
 * look the same one is refused.
 */
export function hasLookAlike(words: readonly string[]): boolean {
  const drawn = words.map((word) => {
    const letters = [...word.normalize('NFD').replace(notLetter, '')];
    return { letters, by: alphabetsOf(letters) };
  });
  const anchor = drawn.find(({ by }) => by.length === 1)?.by[0];
  return drawn.some(({ letters, by: [first, ...others] }) => {
    if (first === undefined || others.length === 0) return false;
    const initial = letters.length === 1 && anchor !== undefined && [first, ...others].includes(anchor);
    return ownAlphabet(letters[0] ?? '') !== (initial ? anchor : first);
  });
}

/** Alphabets in which all of these letters can be drawn, their own included; none for letters of other scripts. */
function alphabetsOf(letters: readonly string[]): number[] {
  if (letters.length === 0) return [];
  return alphabets
    .map((_, alphabet) => alphabet)
    .filter((alphabet) =>
      letters.every((letter) => drawings.get(letter)?.has(alphabet) ?? ownAlphabet(letter) === alphabet),
    );
}

function ownAlphabet(letter: string): number {
  return scripts.findIndex((script) => script.test(letter));
}

/** The ASCII letters that a name of several alphabets draws, or nothing where it draws something else as well. */
export function drawInAscii(name: string): string | undefined {
  let drawn = '';
  for (const character of name.normalize('NFD').replace(accents, '')) {
    const plain = character.charCodeAt(0) < 128 ? character : drawings.get(character)?.get(0);
    if (plain === undefined || plain.charCodeAt(0) > 127) return undefined;
    drawn += plain;
  }
  return drawn;
}
