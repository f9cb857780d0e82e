import { typoTargets } from './typo-targets.js';

/** Letters of other scripts, and odd Latin ones, that are drawn like the ASCII letter. */
const drawnAlike: Readonly<Record<string, string>> = {
  а: 'a',
  ɑ: 'a',
  α: 'a',
  ь: 'b',
  ƅ: 'b',
  с: 'c',
  ϲ: 'c',
  ԁ: 'd',
  ɗ: 'd',
  е: 'e',
  є: 'e',
  ҽ: 'e',
  ε: 'e',
  ɡ: 'g',
  ց: 'g',
  һ: 'h',
  հ: 'h',
  і: 'i',
  ı: 'i',
  ι: 'i',
  ɩ: 'i',
  ӏ: 'l',
  ｊ: 'j',
  ј: 'j',
  к: 'k',
  κ: 'k',
  ⅼ: 'l',
  ł: 'l',
  м: 'm',
  п: 'n',
  ո: 'n',
  η: 'n',
  о: 'o',
  ο: 'o',
  օ: 'o',
  ø: 'o',
  σ: 'o',
  р: 'p',
  ρ: 'p',
  ԛ: 'q',
  г: 'r',
  ѕ: 's',
  ʂ: 's',
  т: 't',
  τ: 't',
  ŧ: 't',
  υ: 'u',
  ս: 'u',
  ц: 'u',
  ν: 'v',
  ѵ: 'v',
  ѡ: 'w',
  ԝ: 'w',
  ω: 'w',
  х: 'x',
  χ: 'x',
  у: 'y',
  γ: 'y',
  ү: 'y',
  ყ: 'y',
  ᴢ: 'z',
  ʐ: 'z',
};

const targets = new Set(typoTargets.map(({ domain }) => domain));
const combiningMark = /\p{M}/gu;

/** The big provider that a name with non-ASCII letters imitates, or nothing. */
export function findHomograph(unicodeDomain: string): string | undefined {
  const bare = unicodeDomain.normalize('NFD').replace(combiningMark, '');
  let skeleton = '';
  for (const letter of bare) skeleton += drawnAlike[letter] ?? letter;
  return targets.has(skeleton) ? skeleton : undefined;
}
