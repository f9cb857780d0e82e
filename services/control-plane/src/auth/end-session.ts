import { endSessions, readRefreshState } from '@verdict/db/people/sessions.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { auditOf } from '../http/audit-of.js';
import { judgeRefresh } from './judge-refresh.js';
import { readRefreshToken } from './refresh-token.js';

/** Ends the session if this is its latest refresh token; otherwise returns false. */
export async function endSession(
  { db, createId, config }: Pick<Dependencies, 'db' | 'createId' | 'config'>,
  request: FastifyRequest,
  token: string,
): Promise<boolean> {
  const read = readRefreshToken(token);
  const state = read && (await readRefreshState(db, read.sessionId, config.REFRESH_GRACE_SECONDS));
  if (!read || !state) return false;
  const verdict = judgeRefresh({ ...state, inGrace: state.inGrace && state.cookie }, read.secret);
  if (verdict !== 'current' && verdict !== 'raced') return false;
  const audit = auditOf(createId, request, { action: 'user.logged_out', userId: state.userId });
  return (await endSessions(db, state, { only: read.sessionId }, audit)) > 0;
}
