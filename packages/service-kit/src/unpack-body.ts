import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyTooLarge, invalidRequest, unsupportedEncoding } from './errors.js';

const unpack = promisify(gunzip);

/** True for a gzipped body, false for a plain one; any other coding is refused. */
export function isGzipped({ headers }: FastifyRequest): boolean {
  const coding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (coding === 'gzip' || coding === 'x-gzip') return true;
  if (coding === 'identity') return false;
  throw unsupportedEncoding();
}

/** The bytes of a body, unpacked up to the limit of the route: a bomb costs no more than a plain body. */
export async function unpackBody(request: FastifyRequest, bytes: Buffer): Promise<Buffer> {
  if (!isGzipped(request)) return bytes;
  const limit = request.routeOptions.bodyLimit ?? 0;
  return unpack(bytes, { maxOutputLength: limit }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE'
      ? bodyTooLarge(limit)
      : invalidRequest('The request body is not valid gzip.');
  });
}

/** Reads JSON, plain or gzipped. A plain body waits for nothing, because every check is one. */
export function acceptGzippedJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.headers['content-encoding'] === undefined) return parse(request, String(body), done);
    unpackBody(request, body as Buffer).then((bytes) => parse(request, String(bytes), done), done);
  });
}
