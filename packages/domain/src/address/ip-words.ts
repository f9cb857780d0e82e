const COLON = 58;
const DOT = 46;
const GROUPS = 8;
const groups = new Uint16Array(GROUPS);

/**
 * Writes an IP as 32-bit words, one for IPv4 and four for IPv6, and returns its version; 0 for text that is not one. An
 * IPv6 address that maps an IPv4 one is that one. Allocates nothing, because every check with an IP asks.
 */
export function ipWords(text: string, words: Uint32Array): 0 | 4 | 6 {
  if (text.indexOf(':') === -1) {
    const dotted = readDotted(text, 0);
    words[0] = dotted;
    return dotted < 0 ? 0 : 4;
  }
  if (!readGroups(text)) return 0;
  for (let word = 0; word < 4; word++) {
    words[word] = (((groups[word * 2] ?? 0) << 16) | (groups[word * 2 + 1] ?? 0)) >>> 0;
  }
  if (words[0] !== 0 || words[1] !== 0 || words[2] !== 0xffff) return 6;
  words[0] = words[3] ?? 0;
  return 4;
}

function readDotted(text: string, from: number): number {
  let address = 0;
  let parts = 0;
  for (let i = from; i <= text.length; ) {
    let part = 0;
    const first = i;
    for (let digit = digitAt(text, i, 10); digit >= 0; digit = digitAt(text, ++i, 10))
      part = part * 10 + digit;
    if (i === first || i > first + 3 || part > 255 || ++parts > 4) return -1;
    address = address * 256 + part;
    if (i === text.length) break;
    if (text.charCodeAt(i++) !== DOT) return -1;
  }
  return parts === 4 ? address : -1;
}

function readGroups(text: string): boolean {
  let count = 0;
  let gap = -1;
  let i = 0;
  if (text.startsWith('::')) {
    gap = 0;
    i = 2;
  }
  while (i < text.length) {
    const first = i;
    let group = 0;
    for (let digit = digitAt(text, i, 16); digit >= 0; digit = digitAt(text, ++i, 16))
      group = group * 16 + digit;
    if (text.charCodeAt(i) === DOT) {
      const dotted = readDotted(text, first);
      if (dotted < 0 || count > GROUPS - 2) return false;
      groups[count++] = dotted >>> 16;
      groups[count++] = dotted;
      break;
    }
    if (i === first || i > first + 4 || count === GROUPS) return false;
    groups[count++] = group;
    if (i === text.length) break;
    if (text.charCodeAt(i++) !== COLON || i === text.length) return false;
    if (text.charCodeAt(i) === COLON) {
      if (gap >= 0) return false;
      gap = count;
      i++;
    }
  }
  if (gap < 0) return count === GROUPS;
  if (count === GROUPS) return false;
  // The groups behind the gap move to the end.
  const missing = GROUPS - count;
  for (let at = GROUPS - 1; at >= gap; at--)
    groups[at] = at - missing >= gap ? (groups[at - missing] ?? 0) : 0;
  return true;
}

function digitAt(text: string, at: number, base: 10 | 16): number {
  if (at >= text.length) return -1;
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return code - 48;
  if (base === 10) return -1;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}
