import { createHash } from 'node:crypto';
import { parseMailDomain } from '@verdict/domain/address/parse-mail-domain.js';
import { readPackageJson } from './read-package.js';

const PER_DOMAIN = 6;

/**
 * Domains drawn with letters of other scripts, by what Unicode calls confusable (UTS 39) and not by the table of the rule. Only
 * what IDNA lets anybody register, and one script other than Latin in each, as registries ask for.
 */
export function drawHomographs(domains: readonly string[]): string[] {
  const twins = new Map<string, string[]>();
  for (const [character, drawn] of Object.entries(
    readPackageJson<Record<string, string>>('unhomoglyph', 'data.json'),
  )) {
    if (
      !/^[a-z]$/.test(drawn) ||
      !/^[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]$/u.test(character)
    )
      continue;
    if (character !== character.toLowerCase()) continue;
    twins.set(drawn, [...(twins.get(drawn) ?? []), character]);
  }
  const drawn = new Set<string>();
  for (const domain of domains) {
    const name = domain.slice(0, domain.indexOf('.'));
    const variants = ['Cyrillic', 'Greek', 'Armenian'].flatMap((script) => variantsIn(script, name, twins));
    for (const variant of sample(variants)) {
      const parsed = parseMailDomain(`${variant}${domain.slice(name.length)}`);
      if (parsed.ok && parsed.domain.unicode !== domain) drawn.add(parsed.domain.unicode);
    }
  }
  return [...drawn];
}

/** Each letter that has a twin in the script replaced alone, and all of them together. */
function variantsIn(script: string, name: string, twins: ReadonlyMap<string, readonly string[]>): string[] {
  const ofScript = new RegExp(`\\p{Script=${script}}`, 'u');
  const twinOf = (letter: string) => twins.get(letter)?.find((twin) => ofScript.test(twin));
  const single = [...name].flatMap((letter, at) => {
    const twin = twinOf(letter);
    return twin === undefined ? [] : [name.slice(0, at) + twin + name.slice(at + 1)];
  });
  const all = [...name].map((letter) => twinOf(letter) ?? letter).join('');
  return all === name ? [] : [...single, all];
}

function sample(variants: readonly string[]): string[] {
  const order = (variant: string) => createHash('sha256').update(variant).digest('hex');
  return variants.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, PER_DOMAIN);
}
