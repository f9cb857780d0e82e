import { ALNUM, ATEXT, asciiClass, DIGIT, UPPER } from './ascii-class.js';
import type { EmailAddress } from './email-address.js';
import { explainRefusal } from './explain-refusal.js';
import { parseAddressLiteral } from './parse-address-literal.js';
import { findClosingQuote, LOCAL_OCTETS_MAX, parseLocalPart } from './parse-local-part.js';
import { DOMAIN_OCTETS_MAX, parseMailDomain } from './parse-mail-domain.js';

export type EmailResult =
  | { ok: true; address: EmailAddress }
  /** `suggestion` is the intended address, if it is clear. */
  | { ok: false; message: string; suggestion?: string };

/** RFC 5321 section 4.5.3.1.3: a path has 256 octets, two of them angle brackets. */
const ADDRESS_OCTETS_MAX = 254;
/** Before any conversion, so that no input makes IDNA work on a novel. */
const TEXT_LENGTH_MAX = 512;

const AT = 64;
const DOT = 46;
const HYPHEN = 45;
const QUOTE = 34;
const OPEN_BRACKET = 91;

/** One mailbox, nothing around it: no display name, no comments, no folding. Linear in the length of the input. */
export function parseEmail(input: string): EmailResult {
  const text = input.trim();
  const plain = parsePlain(text);
  if (plain !== undefined) return { ok: true, address: plain };
  const result = parseCarefully(text);
  return result.ok || text.length > TEXT_LENGTH_MAX
    ? result
    : explainRefusal(text, result.message, isAddress);
}

function isAddress(text: string): boolean {
  return parsePlain(text) !== undefined || parseCarefully(text).ok;
}

/**
 * The ordinary case in one pass: an ASCII dot-string at an ASCII host name without punycode. On failure
 * `parseCarefully` finds the reason or accepts the unusual.
 */
function parsePlain(text: string): EmailAddress | undefined {
  const length = text.length;
  if (length > ADDRESS_OCTETS_MAX) return undefined;
  let upper = 0;
  let previous = DOT;
  let at = 0;
  for (; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === AT) break;
    if (code === DOT) {
      if (previous === DOT) return undefined;
    } else {
      const flags = code < 128 ? (asciiClass[code] ?? 0) : 0;
      if ((flags & ATEXT) === 0) return undefined;
      upper |= flags;
    }
    previous = code;
  }
  if (at === 0 || at > LOCAL_OCTETS_MAX || previous === DOT || length - at - 1 > DOMAIN_OCTETS_MAX)
    return undefined;

  let labelStart = at + 1;
  let lastHyphen = 0;
  let domainUpper = 0;
  previous = DOT;
  for (let i = labelStart; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (previous === DOT || previous === HYPHEN || i - labelStart > 63) return undefined;
      labelStart = i + 1;
    } else if (code === HYPHEN) {
      // Two hyphens may be punycode, which must be verified.
      if (previous === DOT || previous === HYPHEN) return undefined;
      lastHyphen = i;
    } else {
      const flags = code < 128 ? (asciiClass[code] ?? 0) : 0;
      if ((flags & ALNUM) === 0) return undefined;
      domainUpper |= flags;
    }
    previous = code;
  }
  if (previous === DOT || previous === HYPHEN || length - labelStart > 63) return undefined;
  // One label only, or a last label of one letter, with a hyphen or that begins like a number.
  if (labelStart === at + 1 || length - labelStart < 2 || lastHyphen > labelStart) return undefined;
  if (((asciiClass[text.charCodeAt(labelStart)] ?? 0) & DIGIT) !== 0) return undefined;

  const local = text.slice(0, at);
  const rawDomain = text.slice(at + 1);
  const domain = (domainUpper & UPPER) === 0 ? rawDomain : rawDomain.toLowerCase();
  const lower = ((upper | domainUpper) & UPPER) === 0;
  return {
    text,
    local,
    domain,
    unicodeDomain: domain,
    quoted: false,
    literal: false,
    canonical: lower ? text : text.toLowerCase(),
  };
}

function parseCarefully(text: string): EmailResult {
  if (text === '') return refuse('an email address is empty');
  if (text.length > TEXT_LENGTH_MAX)
    return refuse(`an email address has at most ${ADDRESS_OCTETS_MAX} octets`);
  const at = findSeparator(text);
  if (at === -1) return refuse('an email address needs an @ between mailbox and domain');

  const localText = text.slice(0, at);
  const domainText = text.slice(at + 1);
  const local = parseLocalPart(localText);
  if (!local.ok) return local;
  const literal = domainText.charCodeAt(0) === OPEN_BRACKET;
  const domain = literal ? parseLiteralDomain(domainText) : parseMailDomain(domainText);
  if (!domain.ok) return domain;
  // Folding can make a mailbox name longer (U+FB2C is three octets, its canonical form six), and the canonical form must
  // itself be an address.
  const localOctets = Math.max(Buffer.byteLength(localText), Buffer.byteLength(local.local.canonical));
  if (localOctets + 1 + domain.domain.ascii.length > ADDRESS_OCTETS_MAX) {
    return refuse(`an email address has at most ${ADDRESS_OCTETS_MAX} octets`);
  }
  return {
    ok: true,
    address: {
      text,
      local: localText,
      domain: domain.domain.ascii,
      unicodeDomain: domain.domain.unicode,
      quoted: local.local.quoted,
      literal,
      canonical: `${local.local.canonical}@${domain.domain.ascii}`,
    },
  };
}

/** The @ that separates: the first one, unless a quoted local part hides others. */
function findSeparator(text: string): number {
  if (text.charCodeAt(0) !== QUOTE) return text.indexOf('@');
  const end = findClosingQuote(text);
  return end === -1 ? text.indexOf('@') : text.indexOf('@', end);
}

function parseLiteralDomain(text: string): ReturnType<typeof parseMailDomain> {
  const result = parseAddressLiteral(text);
  if (!result.ok) return result;
  return { ok: true, domain: { ascii: result.literal, unicode: result.literal } };
}

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
