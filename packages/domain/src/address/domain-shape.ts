const LETTERS = /[a-z]+/g;
const DIGITS = /[0-9]+/g;
/** Letters and digits in turns, which are one shape however often they turn. */
const MIXED = /[a0]{3,}/g;

/**
 * The shape of a domain, written as an example of it: `abc123.xyz` for any letters followed by digits under that ending, and
 * `a1b2` for letters and digits in turns. Names that a program makes up share one.
 */
export function domainShape(domain: string): string {
  const end = domain.lastIndexOf('.');
  const shape = domain
    .slice(0, Math.max(0, end))
    .replace(LETTERS, 'a')
    .replace(DIGITS, '0')
    .replace(MIXED, 'm');
  const example = shape.replaceAll('a', 'abc').replaceAll('0', '123').replaceAll('m', 'a1b2');
  return example + domain.slice(Math.max(0, end));
}
