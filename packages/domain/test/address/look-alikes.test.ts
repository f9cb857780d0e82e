import fc from 'fast-check';
import t from 'tap';
import confusables from 'unhomoglyph/data.json' with { type: 'json' };
import { parseEmail } from '../../src/address/parse-email.js';

/** Confusable characters of Unicode (UTS 39): a character, and the representative of all that are drawn like it. */
const prototypes: Record<string, string> = confusables;

/** Alphabets that share letters, and the scripts of East Asia. */
const scripts = 'Latin Cyrillic Greek Armenian Han Hiragana Katakana Hangul Bopomofo'.split(' ');
const ofTheseScripts = new RegExp(
  `[${scripts.map((script) => `\\p{Script=${script}}`).join('')}\\p{M}!-~]`,
  'u',
);

/**
 * UTS 39 is generous: readers can distinguish these (a dot, the direction of an accent, one stroke). Refusing them
 * would refuse names.
 */
const toldApart = [
  ..."'` 1l| 6б aα eҽ fք iı nոռ oσ qգ rг wա âȃ êȇ îȋ ôȏ ûȗ ăǎᾰ ĕě ęҿ ğǧ ĭǐ ŏǒ ŕѓ șş țţ ŭǔ іӏ уү δծ τт ҷӌ ӈӊ く𡿨 /ノ".split(
    ' ',
  ),
  ...'àὰ áά ãᾶ āᾱ ąᾳ \u0306\u030c'.split(' '),
];

const drawing = (text: string) =>
  [...text.normalize('NFD')]
    .map((character) => prototypes[character] ?? character)
    .join('')
    .normalize('NFD');
const accepted = (name: string) => {
  const result = parseEmail(`${name}@acme.com`);
  return result.ok ? result.address.canonical : undefined;
};

/** Everything that is drawn the same, by drawing: letters of the scripts above, one canonical spelling each. */
const families = groupByDrawing();

t.test('of letters that are drawn the same one is accepted, or the difference can be seen', async (t) => {
  const seen = (family: readonly string[]) => {
    const ours = family.filter((letter) => accepted(letter) === `${letter}@acme.com`);
    // Chinese characters that differ by one stroke are different to their readers.
    if (ours.length < 2 || ours.every((letter) => /\p{Script=Han}/u.test(letter))) return [];
    return toldApart.some((pair) => ours.every((letter) => pair.includes(letter))) ? [] : [ours.join(' ')];
  };
  t.strictSame([...families.values()].flatMap(seen), []);
});

/** Letters that have no twin: they say which script the others should be in. */
const ANCHORS = [...'ждщñø漢字あアギ5.-+'];

t.test('of twins beside a letter that says which alphabet they are of, one is accepted', async (t) => {
  const both = twins().flatMap((family) =>
    ANCHORS.flatMap((anchor) => {
      const read = new Set(family.flatMap((letter) => accepted(`${anchor}${letter}`) ?? []));
      return read.size > 1 ? [[...read].join(' ')] : [];
    }),
  );
  t.strictSame(both, []);
});

t.test('no two names that are drawn the same are both accepted', async () => {
  const family = fc.constantFrom(...twins());
  const member = fc.tuple(family, fc.nat(), fc.nat()).map(([letters, one, other]) => ({
    one: letters[one % letters.length] ?? '',
    other: letters[other % letters.length] ?? '',
  }));
  const anchor = fc.constantFrom(...ANCHORS).map((letter) => ({ one: letter, other: letter }));
  let bothRead = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(member, anchor), { minLength: 1, maxLength: 6 }), (letters) => {
      const first = accepted(letters.map(({ one }) => one).join(''));
      const second = accepted(letters.map(({ other }) => other).join(''));
      if (first !== undefined && first === second) bothRead++;
      return first === undefined || second === undefined || first === second;
    }),
    { numRuns: 20_000 },
  );
  if (bothRead === 0) throw new Error('nothing was accepted, so nothing was shown');
});

t.test('names that people have are accepted in their own letters', async (t) => {
  const names = `josé иван юлія νίκος αννα μαρία 用户 八木カオリ 田中二郎 へび らーめん ラーメン 김철수 ışık nguyễn olúṣẹ́gun محمد दीपक ทำงาน
    gørãn straße ёлка ζωή անի ჯონი ಜಯ ñandú əli łukasz ķ ɔkɔ ጽዮን שרה иван+shop 田中+x иван.smith иванов_а տաթև`;
  for (const name of names.trim().split(/\s+/)) t.equal(accepted(name), `${name}@acme.com`, name);
});

t.test('a name that draws another is refused, with the plain one as suggestion', async (t) => {
  const table: [string, RegExp, string | undefined][] = [
    ['p\u0430ypal', /mixes letters of different alphabets/, 'paypal'],
    ['\u0441\u043e\u0441\u043e', /drawn like another name/, 'coco'],
    ['\u03bf\u03bd\u03bf', /drawn like another name/, 'ovo'],
    ['иванsmith', /mixes letters/, undefined],
    ['jane.\u0441\u043e\u0441\u043e', /drawn like another name/, 'jane.coco'],
    ['иванов_a', /drawn like another name/, undefined],
    ['ㄱ', /drawn like another one/, undefined],
    ['山田カニ', /drawn like another name/, undefined],
    ['ら一めん', /drawn like another name/, undefined],
    ['o\u0338le', /drawn like another one/, undefined],
    ['jane\u0952', /drawn like another one/, undefined],
    ['ø\u0331\u0952', /drawn like another one/, undefined],
    ['ge\u3099ん', /drawn like another one/, undefined],
    ['ａbc', /drawn like another one/, undefined],
    ['ทํางาน', /drawn like another one/, undefined],
    ['❤', /sign or picture/, undefined],
  ];
  for (const [name, message, plain] of table) {
    const result = parseEmail(`${name}@acme.com`);
    const quoted = parseEmail(`"${name}"@acme.com`);
    t.match(result, { ok: false, message }, name);
    t.equal(quoted.ok, false, `${name} in quotes`);
    t.equal(result.ok ? '' : result.suggestion, plain && `${plain}@acme.com`, name);
  }
  t.equal(accepted('İSTANBUL'), 'istanbul@acme.com', 'a dot above i is drawn once');
});

/** Families whose letters are indistinguishable. */
function twins(): string[][] {
  const known = new Set(toldApart.flatMap((pair) => [...pair]));
  return [...families.values()]
    .map((family) =>
      family.filter((letter) => ![...letter.normalize('NFD'), letter].some((one) => known.has(one))),
    )
    .filter((family) => family.length > 1 && !family.every((letter) => /\p{Script=Han}/u.test(letter)));
}

function groupByDrawing(): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (let code = 0x21; code < 0x30000; code++) {
    const character = String.fromCodePoint(code);
    if (!ofTheseScripts.test(character) || character !== character.normalize('NFC').toLowerCase()) continue;
    const key = drawing(character);
    groups.set(key, [...(groups.get(key) ?? []), character]);
  }
  return groups;
}
