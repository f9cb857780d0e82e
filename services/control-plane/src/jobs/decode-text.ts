import { bodyTooLarge, unreadableFile } from '@verdict/service-kit/errors.js';

export interface DecodedText {
  readonly texts: AsyncGenerator<string>;
  /** Bytes that were read so far. */
  bytes(): number;
  /** The file began with a byte order mark, as spreadsheets write it. */
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

/** Decodes a file as it arrives. Bytes that contradict the declared encoding are refused before a letter is lost. */
export function decodeText(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number,
): DecodedText {
  let bytes = 0;
  let bom = false;

  async function* read(): AsyncGenerator<string> {
    let head: Uint8Array | null = new Uint8Array(0);
    let decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw bodyTooLarge(bytesMax);
      let part: Uint8Array = chunk;
      if (head) {
        part = Buffer.concat([head, chunk]);
        if (part.length < BOM_BYTES_MAX) {
          head = part;
          continue;
        }
        head = null;
        if (EXCEL.some((mark) => mark.every((byte, i) => part[i] === byte)))
          throw unreadableFile('it is an Excel file; save it as CSV and upload that');
        const known = BOMS.find(({ bytes: mark }) => mark.every((byte, i) => part[i] === byte));
        bom = known !== undefined;
        if (known) decoder = new TextDecoder(known.encoding, { fatal: true });
      }
      const text = decode(decoder, part, true);
      if (text !== '') yield text;
    }
    const rest = decode(decoder, head ?? new Uint8Array(0), false);
    if (rest !== '') yield rest;
  }

  return { texts: read(), bytes: () => bytes, bom: () => bom };
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw unreadableFile('it is not text in UTF-8; save it as CSV in UTF-8');
  }
}
