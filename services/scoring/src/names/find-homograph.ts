import { typoTargets } from '../typos/typo-targets.js';
import { imitatedBrands } from './imitated-brands.js';

/** ASCII letter, then the letters of other scripts (and odd Latin ones) that are drawn like it. */
const drawnAlike = `
  aаɑα bьƅвЬ cсϲ dԁɗ eеєҽεҿ fғϝ gɡց hһհн iіıιɩ jјϳ kкκ lӏⅼł mм nпոηռ oоοօøσ pрρ qԛզ rгɾ sѕʂꜱ tтτŧ uυսцʋ vνѵ wѡԝωա xхχ
  yуγүყ zᴢʐ`;

const plainLetter = new Map(
  drawnAlike
    .trim()
    .split(/\s+/)
    .flatMap((group) => [...group].slice(1).map((letter): [string, string] => [letter, group.charAt(0)])),
);
const domains = new Set([...typoTargets.map(({ domain }) => domain), ...imitatedBrands]);
/** Names long enough to mean one company at any ending: аррӏе.net imitates apple.com. */
const NAME_FROM = 5;
const byName = new Map(
  [...domains]
    .reverse()
    .map((domain): [string, string] => [domain.slice(0, domain.indexOf('.')), domain])
    .filter(([name]) => name.length >= NAME_FROM),
);
const combiningMark = /\p{M}/gu;
const latinOnly = /^[\p{Script=Latin}\p{N}\p{M}.-]+$/u;

/**
 * The provider or brand that a name with non-ASCII letters imitates, or nothing. Accents alone are spelling (chäse.ch is
 * cheese), so a name in Latin letters must copy the whole domain; foreign letters need only draw the name.
 */
export function findHomograph(unicodeDomain: string): string | undefined {
  const bare = unicodeDomain.normalize('NFD').replace(combiningMark, '');
  let skeleton = '';
  for (const letter of bare) skeleton += plainLetter.get(letter) ?? letter;
  if (domains.has(skeleton)) return skeleton;
  if (latinOnly.test(unicodeDomain)) return undefined;
  const labels = unicodeDomain.split('.');
  const skeletons = skeleton.split('.');
  const drawn = skeletons.find(
    (label, index) => index < labels.length - 1 && label !== labels[index] && byName.has(label),
  );
  return drawn === undefined ? undefined : byName.get(drawn);
}
