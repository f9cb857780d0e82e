/**
 * What no address may contain: controls, bidirectional overrides, invisible and unassigned characters, lone surrogates,
 * and every kind of space. They make two different addresses look the same, or one look like another.
 * The zero-width joiners (U+200C, U+200D) stay: Persian and Indic names are misspelt without them.
 * A class without quantifier cannot backtrack.
 */
const hidden = /(?![\u200c\u200d])[\p{C}\p{Z}]/u;

export function hasHiddenCharacter(text: string): boolean {
  return hidden.test(text);
}
