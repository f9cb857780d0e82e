import { appendAudit } from '@verdict/db/accounts/audit-events.js';
import {
  type RefreshState,
  readRefreshState,
  replaceRefreshToken,
  revokeSession,
  type SessionOwner,
} from '@verdict/db/people/sessions.js';
import { tokenInvalid } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { auditOf } from '../http/audit-of.js';
import { judgeRefresh } from './judge-refresh.js';
import { hashSecret, nextSecret, readRefreshToken, tokenOf } from './refresh-token.js';
import { sessionLife } from './session-life.js';

type RefreshDependencies = Pick<Dependencies, 'db' | 'createId' | 'config'>;

export interface Refreshed extends SessionOwner {
  readonly sessionId: string;
  readonly token: string;
}

/** Each attempt loses only to another holder of the same token who was a moment faster. */
const ATTEMPTS_MAX = 3;

/**
 * Trades a refresh token for its successor. Browser tabs that present the same token within the grace get the same
 * successor, so neither is logged out; after it, a replaced token ends the session.
 */
export async function refreshSession(
  deps: RefreshDependencies,
  request: FastifyRequest,
  shown: { readonly token: string; readonly fromCookie: boolean },
): Promise<Refreshed> {
  const { db, config } = deps;
  const read = readRefreshToken(shown.token);
  if (!read) throw tokenInvalid({ why: 'not a refresh token' });
  const { sessionId, secret } = read;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const state = await readRefreshState(db, sessionId, config.REFRESH_GRACE_SECONDS);
    if (!state || state.cookie !== shown.fromCookie) throw tokenInvalid({ why: 'no such session' });
    const verdict = judgeRefresh({ ...state, inGrace: state.inGrace && state.cookie }, secret);
    const next = nextSecret(state.chainKey, secret);
    const refreshed = { ...ownerOf(state), sessionId, token: tokenOf(sessionId, next) };
    if (verdict === 'raced') return refreshed;
    if (verdict === 'wrong') throw tokenInvalid({ why: 'never a token of this session' });
    if (verdict === 'reused') {
      await endReusedSession(deps, request, sessionId, state);
      throw tokenInvalid({ why: 'refresh token is not the newest' });
    }
    const life = sessionLife(config);
    const session = { id: sessionId, shownHash: hashSecret(secret), nextHash: hashSecret(next), life };
    if (await replaceRefreshToken(db, session)) return refreshed;
  }
  throw tokenInvalid({ why: 'refreshed by others all the time' });
}

/** Two parties hold one token and one of them stole it, so the session ends for both. */
async function endReusedSession(
  { db, createId }: RefreshDependencies,
  request: FastifyRequest,
  sessionId: string,
  { userId, accountId }: RefreshState,
): Promise<void> {
  if (!(await revokeSession(db, sessionId))) return;
  const audit = auditOf(createId, request, { action: 'session.reuse_detected', target: sessionId, userId });
  await appendAudit(db, accountId, audit);
}

const ownerOf = ({ userId, accountId }: RefreshState): SessionOwner => ({ userId, accountId });
