/**
 * Characters that no address may contain: controls, bidirectional overrides, unassigned characters, lone surrogates,
 * spaces, and everything a screen may leave out. They make two addresses look the same; classes without quantifiers
 * cannot backtrack.
 */
const hidden = /(?![\u200c\u200d])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;

const joiner = /[\u200c\u200d]/u;

/**
 * Joiners are spelling where they change what is drawn (RFC 5892, appendix A.1 and A.2): after a virama of an Indic
 * script, or a non-joiner after an Arabic letter that would otherwise join the next one. Elsewhere they are invisible.
 */
const joinerInPlace = new RegExp(
  [
    String.raw`(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d](?=[\p{L}\p{M}])`,
    String.raw`(?<=(?![\p{M}\p{N}\p{P}${joinsOnlyToTheRight()}])\p{Script=Arabic}\p{M}*)\u200c(?=(?![\p{N}\p{P}\u0621])\p{Script=Arabic})`,
  ].join('|'),
  'gu',
);

/** Arabic letters that never join the letter after them, so that a non-joiner behind them cannot be seen. */
function joinsOnlyToTheRight(): string {
  return String.raw`\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef`;
}

export function hasHiddenCharacter(text: string): boolean {
  if (hidden.test(text)) return true;
  return joiner.test(text) && joiner.test(text.replace(joinerInPlace, ''));
}

/** A combining mark that follows no letter is drawn on its neighbour or on nothing. */
const looseMark = /(?:^|[^\p{L}\p{M}\u200c\u200d])\p{M}/u;

export function hasLooseMark(text: string): boolean {
  return looseMark.test(text);
}
