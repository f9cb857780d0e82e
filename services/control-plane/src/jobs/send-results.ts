import { Readable } from 'node:stream';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asksForRange, type ByteRange, readRange } from '../http/read-range.js';
import { rangeNotSatisfiable } from './job-errors.js';

export interface ResultsFile {
  readonly type: string;
  readonly name: string;
  /** Names the bytes of a file that does not change any more; null while it does. */
  readonly tag: string | null;
  /** Writes the file from its beginning. */
  open(): AsyncIterable<Buffer | string>;
}

/** How long a file may be measured: the gateway waits 35 seconds for an answer. */
const MEASURE_MS = 20_000;

/** Sends a file of results, or the part that a broken download still needs. A part is read from the beginning too, without being sent. */
export async function sendResults(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ResultsFile,
): Promise<FastifyReply> {
  const { type, name, tag, open } = file;
  const { range, 'if-range': unchanged } = request.headers;
  const length =
    tag !== null && asksForRange(range) && (unchanged ?? tag) === tag
      ? await measure(open(), whileOpen(reply))
      : null;
  const part = length === null || range === undefined ? undefined : readRange(range, length);
  if (part === null) throw rangeNotSatisfiable(length ?? 0);
  reply.type(`${type}; charset=utf-8`).header('content-disposition', `attachment; filename="${name}"`);
  if (tag !== null) reply.header('etag', tag).header('accept-ranges', 'bytes');
  if (!part) return reply.send(Readable.from(open(), { objectMode: false }));
  return reply
    .code(206)
    .header('content-range', `bytes ${part.from}-${part.to}/${length}`)
    .header('content-length', part.to - part.from + 1)
    .send(Readable.from(cut(open(), part), { objectMode: false }));
}

/** How many bytes a file has; null if that takes too long or the reader has gone. */
async function measure(file: AsyncIterable<Buffer | string>, open: AbortSignal): Promise<number | null> {
  const until = performance.now() + MEASURE_MS;
  let length = 0;
  for await (const chunk of file) {
    if (open.aborted || performance.now() > until) return null;
    length += Buffer.byteLength(chunk);
  }
  return length;
}

async function* cut(file: AsyncIterable<Buffer | string>, { from, to }: ByteRange): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const text of file) {
    const chunk = Buffer.from(text as string);
    if (at + chunk.length > from) yield chunk.subarray(Math.max(0, from - at), to + 1 - at);
    at += chunk.length;
    if (at > to) return;
  }
}
