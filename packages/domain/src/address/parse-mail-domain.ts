import { domainToASCII, domainToUnicode } from 'node:url';
import { ALNUM, asciiClass, DIGIT } from './ascii-class.js';
import { hasHiddenCharacter } from './hidden-characters.js';

export const DOMAIN_OCTETS_MAX = 253;
/** Looked at before anything is converted: punycode costs length times distinct letters. */
const DOMAIN_CHARS_MAX = 512;
const TOO_LONG = `the domain is longer than ${DOMAIN_OCTETS_MAX} octets`;
const LABEL_OCTETS_MAX = 63;
const HYPHEN = 45;
const DOT = 46;
const PUNYCODE = 'xn--';
export const NO_DOT_FAULT = 'the domain has no dot';

export interface MailDomain {
  readonly ascii: string;
  readonly unicode: string;
}

export type MailDomainResult = { ok: true; domain: MailDomain } | { ok: false; message: string };

/** A host name that can follow the @: at least two labels, internationalised ones by UTS 46. */
export function parseMailDomain(text: string): MailDomainResult {
  if (text === '') return refuse('the domain after @ is missing');
  if (text.length > DOMAIN_CHARS_MAX) return refuse(TOO_LONG);
  const plain = findFirstNonAscii(text) === -1;
  if (plain) {
    const lower = text.toLowerCase();
    const fault = hostNameFault(lower);
    if (fault !== undefined) return refuse(fault);
    if (!lower.includes(PUNYCODE)) return { ok: true, domain: { ascii: lower, unicode: lower } };
    return fromInternational(lower);
  }
  if (hasHiddenCharacter(text)) return refuse('the domain contains an invisible or control character');
  if (!hasOnlyHostAscii(text)) return refuse(strangeCharacter(text));
  return fromInternational(text);
}

/** Names the two that people type, and no other: it may be a letter that cannot be shown. */
const strangeCharacter = (name: string): string => {
  if (name.includes(',')) return 'the domain contains a comma';
  return name.includes(' ')
    ? 'the domain contains a space'
    : 'the domain contains a character that is not allowed';
};

/** The fault of a lower-case ASCII host name, if any. */
function hostNameFault(name: string): string | undefined {
  if (name.length > DOMAIN_OCTETS_MAX) return TOO_LONG;
  let labelStart = 0;
  let labels = 0;
  for (let i = 0; i <= name.length; i++) {
    const code = i === name.length ? DOT : name.charCodeAt(i);
    if (code !== DOT) {
      const flags = code < 128 ? (asciiClass[code] ?? 0) : 0;
      if ((flags & ALNUM) === 0 && code !== HYPHEN) return strangeCharacter(name);
      continue;
    }
    const length = i - labelStart;
    if (length === 0) return 'the domain has an empty label';
    if (length > LABEL_OCTETS_MAX) return `a label of the domain is longer than ${LABEL_OCTETS_MAX} octets`;
    if (name.charCodeAt(labelStart) === HYPHEN || name.charCodeAt(i - 1) === HYPHEN) {
      return 'a label of the domain begins or ends with a hyphen';
    }
    if (hasReservedHyphens(name, labelStart))
      return 'a label of the domain has hyphens as its third and fourth character';
    labels++;
    if (i < name.length) labelStart = i + 1;
  }
  if (labels < 2) return NO_DOT_FAULT;
  // Top-level domains are alphabetic or punycode; what begins with a digit is an IPv4 address without its brackets, in
  // decimal or (0x7f) in hexadecimal.
  if (((asciiClass[name.charCodeAt(labelStart)] ?? 0) & DIGIT) !== 0) return 'the domain ends in a number';
  if (name.length - labelStart < 2) return 'the domain ends in a single letter';
  if (name.indexOf('-', labelStart) !== -1 && !name.startsWith(PUNYCODE, labelStart))
    return 'the ending of the domain has a hyphen';
  return undefined;
}

/** RFC 5891 section 4.2.3.1 keeps `??--` for encodings, of which punycode is the only one. */
function hasReservedHyphens(name: string, labelStart: number): boolean {
  return (
    name.charCodeAt(labelStart + 2) === HYPHEN &&
    name.charCodeAt(labelStart + 3) === HYPHEN &&
    !name.startsWith(PUNYCODE, labelStart)
  );
}

/**
 * `domainToASCII` parses a URL host: it percent-decodes, and it reads numeric names as IPv4 ("1.2" becomes 1.0.0.2).
 * Only letters, digits, hyphens, dots and non-ASCII characters get here, and a numeric result is refused by
 * `hostNameFault`, so neither can show.
 */
function fromInternational(text: string): MailDomainResult {
  const ascii = domainToASCII(text);
  if (ascii === '') return refuse('the domain is not a valid internationalised name');
  const fault = hostNameFault(ascii);
  if (fault !== undefined) return refuse(fault);
  const unicode = domainToUnicode(ascii);
  // Node 24 leaves a label that it cannot decode as it is.
  if (unicode === '' || hasPunycode(unicode))
    return refuse('the domain is not a valid internationalised name');
  return { ok: true, domain: { ascii, unicode } };
}

const hasPunycode = (name: string): boolean => name.startsWith(PUNYCODE) || name.includes(`.${PUNYCODE}`);

function findFirstNonAscii(text: string): number {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return i;
  return -1;
}

function hasOnlyHostAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128 && code !== DOT && code !== HYPHEN && ((asciiClass[code] ?? 0) & ALNUM) === 0)
      return false;
  }
  return true;
}

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
