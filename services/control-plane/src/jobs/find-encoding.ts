import { isAscii } from 'node:buffer';

const FIRST_BEYOND_ASCII = 0x80;
/** The longest sequence of UTF-8. */
const SEQUENCE_BYTES_MAX = 4;
const WINDOWS = /^(windows-1252|cp-?1252|iso-8859-1|latin-?1)$/i;

/** Whether a declared charset means Windows-1252; browsers, too, read Latin-1 as its superset. */
export const isWindows = (charset: string | undefined): boolean => WINDOWS.test(charset ?? '');

/** The charset that a Content-Type names. */
export const charsetOf = (contentType: string | undefined): string | undefined =>
  /;\s*charset="?([\w-]+)/i.exec(contentType ?? '')?.[1];

export interface FoundEncoding {
  /** Undefined while everything is ASCII, or the first sequence beyond it is not complete. */
  readonly encoding: 'utf-8' | 'windows-1252' | undefined;
  /** So many bytes at the beginning are the same in both. */
  readonly asciiBytes: number;
}

/** Tells the encoding of the first letter beyond ASCII: UTF-8 sequences never occur by chance, and spreadsheets otherwise write Windows-1252. */
export function findEncoding(bytes: Uint8Array, isLast: boolean): FoundEncoding {
  // A hundred times as fast as the search below, and most files are nothing else.
  if (isAscii(bytes)) return { encoding: undefined, asciiBytes: bytes.length };
  const at = bytes.findIndex((byte) => byte >= FIRST_BEYOND_ASCII);
  if (bytes.length - at < SEQUENCE_BYTES_MAX && !isLast) return { encoding: undefined, asciiBytes: at };
  const length = sequenceLength(bytes[at] ?? 0);
  const sequence = bytes.subarray(at, at + length);
  return { encoding: length > 0 && isUtf8(sequence) ? 'utf-8' : 'windows-1252', asciiBytes: at };
}

function sequenceLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
