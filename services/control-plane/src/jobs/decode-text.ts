import { bodyTooLarge } from '@verdict/service-kit/errors.js';
import { findEncoding, isWindows } from './find-encoding.js';
import { unreadableFile } from './job-errors.js';

export interface DecodedText {
  readonly texts: AsyncGenerator<string>;
  /** Bytes that were read so far. */
  bytes(): number;
  /** Results need a byte order mark, for a spreadsheet to read them: the file had one, or was written in Windows-1252. */
  bom(): boolean;
}

const BOMS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;
/** Workbooks of today are zip archives, those of before 2007 compound files. */
const EXCEL = [
  [0x50, 0x4b, 0x03],
  [0xd0, 0xcf, 0x11],
];
const BOM_BYTES_MAX = 3;
/** Controls that no text has: such a file is a picture or an archive. */
const NO_TEXT = /(?![\t\n\v\f\r])\p{Cc}/u;

/**
 * Decodes a file as it arrives: UTF-8 unless a mark, the sender or, in CSV, the first letter beyond ASCII says otherwise.
 * Bytes that contradict the encoding are refused before a letter is lost.
 */
export function decodeText(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  {
    bytesMax,
    charset,
    mayBeWindows,
  }: { bytesMax: number; charset?: string | undefined; mayBeWindows: boolean },
): DecodedText {
  let bytes = 0;
  let bom = false;

  async function* read(): AsyncGenerator<string> {
    let held: Uint8Array = new Uint8Array(0);
    let isBegun = false;
    let decoder: Decoder | null = isWindows(charset) ? new TextDecoder('windows-1252') : null;
    const take = (part: Uint8Array, isLast: boolean): string => {
      if (!isBegun) {
        isBegun = true;
        if (EXCEL.some((mark) => mark.every((byte, i) => part[i] === byte)))
          throw unreadableFile('it is an Excel file; save it as CSV and upload that');
        const known = BOMS.find(({ bytes: mark }) => mark.every((byte, i) => part[i] === byte));
        if (known) decoder = new TextDecoder(known.encoding, { fatal: true });
        bom = known !== undefined || decoder !== null;
      }
      const guess = mayBeWindows && charset === undefined;
      if (!decoder && !guess) decoder = new TextDecoder('utf-8', { fatal: true });
      if (!decoder) {
        const found = findEncoding(part, isLast);
        if (found.encoding === undefined) {
          held = part.subarray(found.asciiBytes);
          return Buffer.from(part.subarray(0, found.asciiBytes)).toString('latin1');
        }
        decoder = new TextDecoder(found.encoding, { fatal: true });
        bom = found.encoding === 'windows-1252';
      }
      held = new Uint8Array(0);
      return decode(decoder, part, !isLast);
    };
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw bodyTooLarge(bytesMax);
      const part: Uint8Array = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      if (!isBegun && part.length < BOM_BYTES_MAX) {
        held = part;
        continue;
      }
      const text = take(part, false);
      if (text !== '') yield text;
    }
    const rest = take(held, true);
    if (rest !== '') yield rest;
  }

  return { texts: read(), bytes: () => bytes, bom: () => bom };
}

type Decoder = InstanceType<typeof TextDecoder>;

function decode(decoder: Decoder, bytes: Uint8Array, stream: boolean): string {
  let text: string;
  try {
    text = decoder.decode(bytes, { stream });
  } catch {
    throw unreadableFile('it is not text in UTF-8; save it as CSV in UTF-8');
  }
  // Every byte is a letter of Windows-1252, so nothing else tells a picture from a text.
  if (decoder.encoding === 'windows-1252' && NO_TEXT.test(text))
    throw unreadableFile('it is not text; save it as CSV in UTF-8');
  return text;
}
