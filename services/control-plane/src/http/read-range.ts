export interface ByteRange {
  readonly from: number;
  /** The last byte, included. */
  readonly to: number;
}

const ONE_RANGE = /^bytes=(?=.?\d)(\d*)-(\d*)$/;

/** Whether a Range header asks for one range of bytes; all others may be ignored (RFC 9110, 14.2). */
export const asksForRange = (header: string | undefined): header is string => ONE_RANGE.test(header ?? '');

/** The part of `length` bytes that the header asks for; null if there is none. */
export function readRange(header: string, length: number): ByteRange | null {
  const [, first = '', last = ''] = ONE_RANGE.exec(header) ?? [];
  const from = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const to = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1);
  return from <= to ? { from, to } : null;
}
