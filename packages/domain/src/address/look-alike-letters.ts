/**
 * Letters of different alphabets that ordinary type draws in the same way; one line for each shape. Which of two twins may
 * be used alone follows from the order: the first alphabet that can draw the whole name has it. Accents are taken off
 * first, so that ё and ë are twins too.
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

/** By alphabet and letter: which earlier alphabets draw it, and how. */
const earlier = new Map<string, Map<number, string>>();
for (const shape of shapes) {
  shape.forEach((letter, alphabet) => {
    if (letter === '') return;
    const drawn = earlier.get(letter) ?? new Map<number, string>();
    shape.slice(0, alphabet).forEach((twin, other) => {
      if (twin !== '') drawn.set(other, twin);
    });
    earlier.set(letter, drawn);
  });
}

const accents = /\p{M}/gu;
const letter = /\p{L}/u;

/** The same name in letters of an alphabet that comes first, where it can draw every one of them; or nothing. */
export function findLookAlike(name: string): string | undefined {
  const decomposed = [...name.normalize('NFD')];
  const letters = decomposed.filter((character) => letter.test(character));
  const alphabet = alphabets.findIndex(
    (_, index) => letters.length > 0 && letters.every((character) => earlier.get(character)?.has(index)),
  );
  if (alphabet === -1) return undefined;
  return decomposed
    .map((character) => earlier.get(character)?.get(alphabet) ?? character)
    .join('')
    .normalize('NFC');
}

/** The ASCII letters that a name of several alphabets draws, or nothing where it draws something else as well. */
export function drawInAscii(name: string): string | undefined {
  let drawn = '';
  for (const character of name.normalize('NFD').replace(accents, '')) {
    const plain = character.charCodeAt(0) < 128 ? character : earlier.get(character)?.get(0);
    if (plain === undefined || plain.charCodeAt(0) > 127) return undefined;
    drawn += plain;
  }
  return drawn;
}
