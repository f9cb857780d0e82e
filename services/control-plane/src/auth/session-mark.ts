import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = 'verdict_session';

/**
 * Marks a browser that has a session, so that / answers with the application instead of the front page. It grants
 * nothing, so other sites' links may send it.
 */
export function setSessionMark(request: FastifyRequest, reply: FastifyReply, seconds: number): void {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${NAME}=1; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
}

export const hasSession = ({ headers }: FastifyRequest): boolean =>
  (headers.cookie ?? '').split(';').some((pair) => pair.trim() === `${NAME}=1`);
