import { AUTH_ROUTES } from '@verdict/contracts/routes/auth-routes.js';
import { findAccountOfPassword } from '@verdict/db/people/users.js';
import { attach } from '@verdict/service-kit/attach.js';
import { ssoRequired } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { checkLogin } from '../check-login.js';
import { newDevice, readDeviceCookie, setDeviceCookie } from '../device-cookie.js';
import { openSession, userAgentOf } from '../open-session.js';
import { refuseForeignOrigin } from '../refresh-cookie.js';

export function loginRoute(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, mails } = deps;
  attach(app, AUTH_ROUTES.logIn, async (request, reply) => {
    const { email, password, otp, cookie = false } = request.body;
    if (cookie) refuseForeignOrigin(request);
    const device = cookie ? (readDeviceCookie(request) ?? newDevice()) : undefined;
    const { login, attempt, secondFactor } = await checkLogin(deps, request, reply, {
      ...{ email, password, otp, device },
    });
    const { userId } = login;
    const accountId = await findAccountOfPassword(db, userId);
    if (accountId === null) throw ssoRequired({ userId });
    // A browser is known by its cookie, a program by where it runs.
    const isKnown = cookie ? attempt.knownDevice : attempt.knownAddress;
    const notice = isKnown
      ? {}
      : await mails.notice(request, userId, { kind: 'new_login', userAgent: userAgentOf(request) });
    const opening = { userId, accountId, cookie, secondFactor, ...notice };
    const tokens = await openSession(app, deps, request, reply, opening);
    if (device !== undefined && !attempt.knownDevice) setDeviceCookie(request, reply, device);
    return tokens;
  });
}
