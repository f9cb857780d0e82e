import { SSO_CALLBACK } from '@verdict/contracts/dashboard/sso-api.js';
import { SSO_ROUTES } from '@verdict/contracts/routes/sso-routes.js';
import { forAccount } from '@verdict/db/accounts/account-scope.js';
import { findAccountOfDomain, type SsoConnection } from '@verdict/db/sso/sso-connection.js';
import { bindIdentity } from '@verdict/db/sso/sso-identities.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { aboutSignOn, type Sealer } from '@verdict/domain/sealed-text.js';
import { attach } from '@verdict/service-kit/attach.js';
import {
  credentialsWrong,
  invalidField,
  ssoFailed,
  ssoRefused,
  ssoUnavailable,
} from '@verdict/service-kit/errors.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkLogin } from '../../auth/check-login.js';
import { readDeviceCookie } from '../../auth/device-cookie.js';
import { openSession } from '../../auth/open-session.js';
import { refuseForeignOrigin } from '../../auth/refresh-cookie.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import type { Client } from '../identity-providers.js';
import { memberOf } from '../member-of.js';
import { clearSignOnCookie, readSignOnCookie, setSignOnCookie, type Waiting } from '../sign-on-cookie.js';

/** Logging in at the identity provider of an account: away to its page, back with its answer, and once with the password of before. */
export function ssoLoginRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, createId, sso } = deps;
  const { sealer, providers, guard } = sso;

  attach(app, SSO_ROUTES.start, async (request, reply) => {
    refuseForeignOrigin(request);
    await guard.step(request.ip);
    const parsed = parseEmail(request.body.email);
    if (!parsed.ok) throw invalidField('email', parsed.message);
    const { domain, canonical } = parsed.address;
    const accountId = await findAccountOfDomain(db, domain);
    const connection = accountId === null ? null : await forAccount(db, accountId).sso.find();
    if (accountId === null || !connection || !sealer)
      throw invalidField('email', 'has no single sign-on. Log in with your password');
    const client = clientOf(sealer, accountId, connection);
    const callback = callbackOf(request);
    const { url, expected } = await providers.begin(client, whileOpen(reply), callback, canonical);
    const { issuer, clientId } = client;
    setSignOnCookie(sealer, request, reply, 'waiting', {
      ...{ ...expected, accountId, issuer, clientId, callback },
    });
    return { success: true, url };
  });

  attach(app, SSO_ROUTES.finish, async (request, reply) => {
    refuseForeignOrigin(request);
    const waiting = sealer && readSignOnCookie(sealer, request, 'waiting');
    if (!sealer || !waiting) throw ssoFailed({ why: 'no login is under way in this browser' });
    await guard.step(request.ip);
    // Good for one answer, whatever becomes of it.
    clearSignOnCookie(request, reply);
    const { accountId } = waiting;
    const connection = await sameConnection(waiting);
    const client = clientOf(sealer, accountId, connection);
    const signal = whileOpen(reply);
    const person = await providers.finish(client, signal, waiting.callback, request.body.query, waiting);
    const identity = { accountId, issuer: person.issuer, subject: person.subject };
    const found = await memberOf(deps, request, signal, connection, identity, person);
    await guard.finished(request.ip);
    if ('userId' in found) return open(request, reply, found.userId, accountId);
    const { email } = found.linking;
    const { clientId } = waiting;
    setSignOnCookie(sealer, request, reply, 'linking', { ...identity, clientId, ...found.linking });
    return reply.code(202).send({ success: true, email });
  });

  attach(app, SSO_ROUTES.link, async (request, reply) => {
    refuseForeignOrigin(request);
    const linking = sealer && readSignOnCookie(sealer, request, 'linking');
    if (!linking) throw ssoFailed({ why: 'no link is under way in this browser' });
    const { accountId, issuer, subject, userId, email } = linking;
    const { password, otp } = request.body;
    const { login } = await checkLogin(deps, request, reply, {
      ...{ email, password, otp, device: readDeviceCookie(request) },
    });
    // The address is somebody else's by now.
    if (login.userId !== userId) throw credentialsWrong();
    const connection = await sameConnection(linking);
    const audit = auditOf(createId, request, { action: 'sso.connected', target: userId, userId });
    const member = { userId, email, role: connection.default_role };
    if (!(await bindIdentity(db, { accountId, issuer, subject }, member, audit)))
      throw ssoRefused('Your account has no room for another member. Ask an owner of the account.');
    clearSignOnCookie(request, reply);
    return open(request, reply, userId, accountId);
  });

  /** The connection that a login began with. Another provider or client vouches for other people. */
  async function sameConnection({
    accountId,
    issuer,
    clientId,
  }: Pick<Waiting, 'accountId' | 'issuer' | 'clientId'>): Promise<SsoConnection> {
    const connection = await forAccount(db, accountId).sso.find();
    if (connection?.issuer !== issuer || connection.client_id !== clientId)
      throw ssoFailed({ why: 'single sign-on was changed or removed meanwhile' });
    return connection;
  }

  const open = (request: FastifyRequest, reply: FastifyReply, userId: string, accountId: string) =>
    openSession(app, deps, request, reply, {
      ...{ userId, accountId, cookie: true, secondFactor: false, bySso: true },
    });
}

/** The page of this server that the provider sends people back to; the provider allows only the one in its settings. */
const callbackOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}${SSO_CALLBACK}`;

function clientOf(sealer: Sealer, accountId: string, connection: SsoConnection): Client {
  const { issuer, client_id: clientId } = connection;
  const clientSecret = sealer.open(connection.client_secret, aboutSignOn(accountId));
  if (clientSecret === null) throw ssoUnavailable({ why: 'no key of SECRETS_KEY opens the client secret' });
  return { accountId, issuer, clientId, clientSecret };
}
