import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A smaller answer fits into one packet either way. */
const LEAST_BYTES = 1_400;

/** Small windows, because a download holds one for as long as its reader takes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } };

const whole = { br: promisify(brotliCompress), gzip: promisify(gzip) };

const compressWhole = (coding: Coding, text: string): Promise<Buffer> =>
  coding === 'br' ? whole.br(text, BROTLI) : whole.gzip(text);

/** Compresses as the source is read; a reader who leaves ends the source too. */
const compressStream = (coding: Coding, source: Readable): Readable =>
  pipeline(source, coding === 'br' ? createBrotliCompress(BROTLI) : createGzip(), () => undefined);

type Coding = 'br' | 'gzip';
const CODINGS: Coding[] = ['br', 'gzip'];

/** How an answer to this request may be compressed; null for not at all. */
export const codingOf = ({ headers }: FastifyRequest): Coding | null =>
  negotiate(headers['accept-encoding'] ?? '', CODINGS) as Coding | null;

/**
 * Hook of routes with large answers: compresses successes for clients that accept it. A text keeps a known length, because
 * the gateway holds answers without one open as streams.
 */
export async function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const coding = codingOf(request);
  const isText = typeof payload === 'string';
  // A stream that fails at its beginning is answered with an error after all.
  if (reply.statusCode >= 300) reply.removeHeader('content-encoding');
  if (coding === null || reply.statusCode >= 300 || reply.statusCode === 206) return payload;
  if (isText && payload.length < LEAST_BYTES) return payload;
  reply.header('content-encoding', coding).removeHeader('content-length');
  const tag = reply.getHeader('etag');
  // A strong tag names bytes, and these are others.
  if (typeof tag === 'string') reply.header('etag', `W/${tag}`);
  return isText ? compressWhole(coding, payload) : compressStream(coding, payload as Readable);
}
