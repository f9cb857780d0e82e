import { AUTH_ROUTES } from '@verdict/contracts/routes/auth-routes.js';
import { appendAudit } from '@verdict/db/accounts/audit-events.js';
import { createSession } from '@verdict/db/people/sessions.js';
import { findLogin, findOpenedAccount } from '@verdict/db/people/users.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { attach } from '@verdict/service-kit/attach.js';
import { credentialsWrong, secondFactorRequired, secondFactorWrong } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { newDevice, readDeviceCookie, setDeviceCookie } from '../device-cookie.js';
import { strangerAt } from '../passwords.js';
import { refuseForeignOrigin, setRefreshCookie } from '../refresh-cookie.js';
import { createRefreshToken } from '../refresh-token.js';
import { sessionLife } from '../session-life.js';
import { tellOfGuesses } from '../tell-of-guesses.js';
import { signAccessToken } from '../tokens.js';

/** A placeholder for text that is not an address: it takes the same steps as a real one. */
const NOBODY = 'nobody@invalid';

const USER_AGENT_LENGTH_MAX = 300;

export function loginRoute(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, createId, passwords, loginGuard, secondFactors, mails, config } = deps;
  attach(app, AUTH_ROUTES.logIn, async (request, reply) => {
    const { cookie = false } = request.body;
    if (cookie) refuseForeignOrigin(request);
    const parsed = parseEmail(request.body.email);
    const email = parsed.ok ? parsed.address.canonical : NOBODY;
    const device = cookie ? (readDeviceCookie(request) ?? newDevice()) : undefined;
    const attempt = await loginGuard.attempt(email, { ip: request.ip, device });
    const login = await findLogin(db, email);
    const by = { ...strangerAt(request.ip), isKnown: attempt.knownDevice || attempt.knownAddress };
    const matches = await passwords.matches(login?.passwordHash ?? null, request.body.password, by);
    if (!login || !matches) throw credentialsWrong();
    const factor = await secondFactors.check(login.userId, request.body.otp, attempt);
    if (factor === 'missing') throw secondFactorRequired();
    if (factor === 'wrong') {
      await tellOfGuesses(deps, request, login);
      throw secondFactorWrong();
    }
    await attempt.succeeded();

    const { userId } = login;
    const accountId = await findOpenedAccount(db, userId);
    const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_LENGTH_MAX) ?? null;
    const sessionId = createId('ses');
    const refresh = createRefreshToken(sessionId);
    await createSession(db, {
      id: sessionId,
      ...{ userId, accountId },
      ...refresh.stored,
      cookie,
      secondFactor: factor === 'shown',
      ip: request.ip,
      userAgent,
      life: sessionLife(config),
    });
    // A browser is known by its cookie, a program by where it runs.
    const isKnown = cookie ? attempt.knownDevice : attempt.knownAddress;
    const notice = isKnown ? {} : await mails.notice(request, userId, { kind: 'new_login', userAgent });
    const audit = auditOf(createId, request, { action: 'user.logged_in', userId, ...notice });
    await appendAudit(db, accountId, audit);
    const access = signAccessToken(app, { sub: userId, acc: accountId, sid: sessionId });
    if (!cookie) return { success: true, access, refresh: refresh.token };
    setRefreshCookie(request, reply, refresh.token, config.REFRESH_TOKEN_SECONDS);
    if (device !== undefined && !attempt.knownDevice) setDeviceCookie(request, reply, device);
    return { success: true, access };
  });
}
