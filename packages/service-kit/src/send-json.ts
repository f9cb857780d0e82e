import type { FastifyReply } from 'fastify';

/** Sends JSON that is text already, so that Fastify serializes nothing. */
export function sendJson(reply: FastifyReply, text: string): void {
  reply.header('content-type', 'application/json; charset=utf-8').send(text);
}
