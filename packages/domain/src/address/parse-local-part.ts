import { ATEXT, asciiClass } from './ascii-class.js';
import { hasMisplacedTwin } from './east-asian-twins.js';
import { hasHiddenCharacter, hasLooseMark } from './hidden-characters.js';
import { hasLookAlike } from './look-alike-letters.js';
import { findWritingFault } from './writing-system.js';

export const LOCAL_OCTETS_MAX = 64;
const TOO_LONG = `the part before @ is longer than ${LOCAL_OCTETS_MAX} octets`;
const DOT = 46;
const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;

export interface LocalPart {
  readonly quoted: boolean;
  /** Lower case, NFC; quotes only where the content needs them, so that "joe"@ and joe@ are one mailbox. */
  readonly canonical: string;
}

export type LocalPartResult = { ok: true; local: LocalPart } | { ok: false; message: string };

/** Dot-string or quoted string of RFC 5321, with the non-ASCII characters that RFC 6531 adds. */
export function parseLocalPart(text: string): LocalPartResult {
  if (text === '') return refuse('the part before @ is missing');
  if (text.length > LOCAL_OCTETS_MAX) return refuse(TOO_LONG);
  // Folding comes first: it can make a string longer, and it can turn a look-alike into the real thing (the Greek
  // question mark U+037E normalises to a semicolon).
  const folded = fold(text);
  if (Math.max(Buffer.byteLength(text), Buffer.byteLength(folded)) > LOCAL_OCTETS_MAX) {
    return refuse(TOO_LONG);
  }
  const parse = text.charCodeAt(0) === QUOTE ? parseQuoted : parseDotString;
  // The typed text must be an address too: folding can hide a forbidden character (< with U+0338 becomes one letter).
  const asTyped = text === folded ? undefined : parse(text);
  if (asTyped?.ok === false) return asTyped;
  const parsed = parse(folded);
  const drawn = parsed.ok ? drawingFault(parsed.local.canonical) : undefined;
  return drawn === undefined ? parsed : refuse(drawn);
}

/** Words of a name, split at signs. Their alphabets may differ (иван+shop), those of their letters may not. */
const words = /[^\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]+/g;

/** Refuses names that look like another one; ASCII is never refused. */
function drawingFault(name: string): string | undefined {
  if (isAscii(name)) return undefined;
  const all = name.match(words) ?? [];
  for (const word of all) {
    const fault = isAscii(word) ? undefined : findWritingFault(word);
    if (fault !== undefined) return writingFaults[fault];
  }
  return hasLookAlike(all) || all.some(hasMisplacedTwin) ? TWIN_FAULT : undefined;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

export const MIXTURE_FAULT = 'the part before @ mixes letters of different alphabets in one word';
export const TWIN_FAULT = 'the part before @ is drawn like another name, in letters of another alphabet';
const writingFaults = {
  sign: 'the part before @ contains a sign or picture that is not a letter',
  letter: 'the part before @ contains a letter that is drawn like another one',
  mixture: MIXTURE_FAULT,
} as const;

function parseDotString(text: string): LocalPartResult {
  const fault = dotStringFault(text);
  if (fault !== undefined) return refuse(fault);
  return { ok: true, local: { quoted: false, canonical: text } };
}

/** Where a quoted local part that starts at 0 ends (index of its closing quote), or -1. */
export function findClosingQuote(text: string): number {
  for (let i = 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i;
  }
  return -1;
}

function dotStringFault(text: string): string | undefined {
  let previous = DOT;
  let plain = true;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (previous === DOT) return dotFault(i);
    } else if (code > 127) plain = false;
    else if (((asciiClass[code] ?? 0) & ATEXT) === 0)
      return code === SPACE
        ? 'the part before @ contains a space'
        : 'the part before @ contains a character that needs quotes';
    previous = code;
  }
  if (previous === DOT) return 'the part before @ ends with a dot';
  if (plain) return undefined;
  if (hasHiddenCharacter(text)) return hiddenFault;
  return hasLooseMark(text) ? markFault : undefined;
}

function dotFault(index: number): string {
  return index === 0 ? 'the part before @ begins with a dot' : 'the part before @ has two dots in a row';
}

const hiddenFault = 'the part before @ contains an invisible or control character';
const markFault = 'the part before @ has an accent without a letter';

function parseQuoted(text: string): LocalPartResult {
  const end = text.length - 1;
  if (findClosingQuote(text) !== end) return refuse('the quotes before @ are not closed');
  let content = '';
  for (let i = 1; i < end; i++) {
    let code = text.charCodeAt(i);
    if (code === BACKSLASH) {
      code = text.charCodeAt(++i);
      if (code > 126) return refuse('a backslash before @ may only quote a printable ASCII character');
    }
    if (code < 32 || code === 127) return refuse(hiddenFault);
    content += text[i];
  }
  // An ordinary space is what quotes are for; every other space or invisible character is refused here too.
  if (hasHiddenCharacter(content.replaceAll(' ', ''))) return refuse(hiddenFault);
  if (hasLooseMark(content)) return refuse(markFault);
  const needless = content !== '' && dotStringFault(content) === undefined;
  return { ok: true, local: { quoted: true, canonical: needless ? content : `"${escapeQuotes(content)}"` } };
}

function escapeQuotes(content: string): string {
  return content.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

/** A dot above i is drawn once, however often it is written (İ becomes i and U+0307). */
const secondDot = /(?<=[ij])\u0307|ı\u0307/g;

function fold(text: string): string {
  const folded = text.normalize('NFC').toLowerCase().normalize('NFC');
  return folded.includes('\u0307')
    ? folded.replace(secondDot, (dot) => (dot === '\u0307' ? '' : 'i'))
    : folded;
}

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
