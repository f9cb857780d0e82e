/**
 * Scripts in everyday use (UAX 31, table 5). The others are full of letters drawn like Latin ones and are not used for
 * mailbox names.
 */
const everyday =
  `Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao
  Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan`
    .trim()
    .split(/\s+/);

/** East Asian writing mixes several scripts and Latin words (UTS 39, "highly restrictive"). */
const mixed = ['Han Hiragana Katakana', 'Han Bopomofo', 'Han Hangul'];

/** Digits of ASCII belong to every writing system, and joiners to those in which they are spelling. */
const COMMON = String.raw`0-9\u200c\u200d`;

const one = new RegExp(
  [
    ...everyday.map((script) => `[${COMMON}\\p{scx=${script}}\\u0300-\\u036f]`),
    ...mixed.map((scripts) => `[${COMMON}a-z${scripts.replace(/\w+ ?/g, (s) => `\\p{scx=${s.trim()}}`)}]`),
  ]
    .map((letters) => `^${letters}+$`)
    .join('|'),
  'u',
);

/**
 * Outside ASCII a name is letters, their accents and digits (RFC 8264, IdentifierClass): signs and emoji have twins by
 * the dozen.
 */
const notALetter = /[^\x20-\x7e\p{L}\p{M}\p{Nd}\u200c\u200d]/u;

/**
 * Phonetic letters, small capitals, letters of dead alphabets, pieces of Korean syllables and of Chinese characters: nearly
 * all drawn like another. Schwa, Vietnamese and the letters of African alphabets are not among them.
 */
const oddLetters = [
  String.raw`\u0138\u0180-\u019f\u01a2-\u01ae\u01b1-\u01cc\u01dd\u01f1-\u01f3\u01f6\u01f7\u021c-\u0225\u0234-\u02ff\u2184`,
  String.raw`\u1d00-\u1dff\u1e9c-\u1e9f\u1efa-\u1eff\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f`,
  String.raw`\u0363-\u037d\u03cf-\u03ff`,
  String.raw`\u0460-\u048f\u0500-\u052f\u1c80-\u1cff\u2de0-\u2dff\ua640-\ua69f`,
  String.raw`\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff`,
  '丿丨亻囗',
];
const AFRICAN_AND_SCHWA = String.raw`\u0192\u0199\u01b4\u0253\u0254\u0256\u0257\u0259\u025b\u0272`;
const oddLetter = new RegExp(`(?![${AFRICAN_AND_SCHWA}])[${oddLetters.join('')}]`, 'u');

/**
 * Accents that did not become one character with their letter. Living alphabets need a few of them (Yoruba ẹ́); all others
 * draw what another accent or another letter is: o and U+0338 is ø, k and U+0326 is ķ.
 */
const oddAccent = /(?![\u0300-\u0304\u0306-\u030c\u0323\u0331])[\u0300-\u036f]/u;
/** On letters of other scripts they imitate marks that those scripts have. */
const strangeAccent =
  /(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}][\u0300-\u036f]*)[\u0300-\u036f]/u;
/** And theirs on our letters draw what is an accent here: a stroke below of Vedic and U+0331. */
const borrowedAccent =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)(?![\u0300-\u036f])\p{M}/u;

/** Sara am of Thai and Lao in two halves. The usual one-character forms have a compatibility form. */
const halvedSaraAm = /\u0e4d\u0e32|\u0ecd\u0eb2/u;
/** So has the Armenian letter yev. */
const letterAllTheSame = /[\u0e33\u0eb3\u0587]/g;

/** Why a word outside ASCII cannot be accepted as written, if so. The text is folded: NFC and lower case. */
export function findWritingFault(text: string): 'sign' | 'letter' | 'mixture' | undefined {
  if (notALetter.test(text)) return 'sign';
  if ([oddLetter, oddAccent, strangeAccent, borrowedAccent].some((fault) => fault.test(text)))
    return 'letter';
  if (halvedSaraAm.test(text) || hasOtherForm(text.replace(letterAllTheSame, ''))) return 'letter';
  return one.test(text) ? undefined : 'mixture';
}

/** Full-width letters, ligatures, mathematical alphabets: alternative forms of plain letters. */
function hasOtherForm(text: string): boolean {
  return text.normalize('NFKC') !== text.normalize('NFC');
}
