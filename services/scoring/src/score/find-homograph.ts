import { typoTargets } from './typo-targets.js';

/** ASCII letter, then the letters of other scripts (and odd Latin ones) that are drawn like it. */
const drawnAlike = `
  aаɑα bьƅ cсϲ dԁɗ eеєҽε gɡց hһհ iіıιɩ jј kкκ lӏⅼł mм nпոη oоοօøσ pрρ qԛ rг sѕʂ tтτŧ uυսц vνѵ wѡԝω xхχ yуγүყ zᴢʐ`;

const plainLetter = new Map(
  drawnAlike
    .trim()
    .split(/\s+/)
    .flatMap((group) => [...group].slice(1).map((letter): [string, string] => [letter, group.charAt(0)])),
);
const targets = new Set(typoTargets.map(({ domain }) => domain));
const combiningMark = /\p{M}/gu;

/** The big provider that a name with non-ASCII letters imitates, or nothing. */
export function findHomograph(unicodeDomain: string): string | undefined {
  const bare = unicodeDomain.normalize('NFD').replace(combiningMark, '');
  let skeleton = '';
  for (const letter of bare) skeleton += plainLetter.get(letter) ?? letter;
  return targets.has(skeleton) ? skeleton : undefined;
}
