import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Streams lines at the reader's pace; a reader who leaves ends the reading. */
export function sendNdjson(
  reply: FastifyReply,
  fileName: string,
  lines: AsyncIterable<string>,
): FastifyReply {
  const source = Readable.from(lines);
  reply.raw.once('close', () => source.destroy());
  return reply
    .type('application/x-ndjson; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(source);
}
