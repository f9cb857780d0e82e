import { SSO_CALLBACK } from '@verdict/contracts/dashboard/sso-api.js';
import { SSO_ROUTES } from '@verdict/contracts/routes/sso-routes.js';
import { forAccount } from '@verdict/db/accounts/account-scope.js';
import { findAccountOfPassword } from '@verdict/db/people/users.js';
import { bindOperator } from '@verdict/db/sso/operator-identities.js';
import { findAccountOfDomain, type SsoConnection } from '@verdict/db/sso/sso-connection.js';
import { bindIdentity, type Identity } from '@verdict/db/sso/sso-identities.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { aboutSignOn, type Sealer } from '@verdict/domain/sealed-text.js';
import { attach } from '@verdict/service-kit/attach.js';
import {
  credentialsWrong,
  invalidField,
  notFound,
  ssoFailed,
  ssoRefused,
  ssoRequired,
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
import { operatorOf } from '../operator-of.js';
import type { OperatorProvider } from '../operator-provider.js';
import {
  type Began,
  clearSignOnCookie,
  type Linking,
  readSignOnCookie,
  setSignOnCookie,
} from '../sign-on-cookie.js';

/** Logging in at the identity provider of an account or of this server: away to its page, back with its answer, and once with the password of before. */
export function ssoLoginRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, createId, sso } = deps;
  const { sealer, providers, guard, operators } = sso;

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
    return begin(sso, request, reply, sealer, accountId, clientOf(sealer, accountId, connection), canonical);
  });

  attach(app, SSO_ROUTES.startOperator, async (request, reply) => {
    refuseForeignOrigin(request);
    await guard.step(request.ip);
    if (!operators || !sealer) throw notFound('This server has no single sign-on for operators.');
    return begin(sso, request, reply, sealer, null, operators);
  });

  attach(app, SSO_ROUTES.finish, async (request, reply) => {
    refuseForeignOrigin(request);
    const waiting = sealer && readSignOnCookie(sealer, request, 'waiting');
    if (!sealer || !waiting) throw ssoFailed({ why: 'no login is under way in this browser' });
    await guard.step(request.ip);
    // Good for one answer, whatever becomes of it.
    clearSignOnCookie(request, reply);
    const { accountId, issuer, clientId } = waiting;
    const by = await voucherOf(deps, waiting);
    const client = 'roleOf' in by ? by : clientOf(sealer, by.accountId, by.connection);
    const signal = whileOpen(reply);
    const person = await providers.finish(client, signal, waiting.callback, request.body.query, waiting);
    const found =
      'roleOf' in by
        ? await operatorOf(deps, request, signal, by, person)
        : await memberOf(deps, request, signal, by.connection, identityOf(by.accountId, person), person);
    await guard.finished(request.ip);
    const role = found.operatorRole && { operatorRole: found.operatorRole };
    if ('userId' in found) return open(request, reply, { accountId, userId: found.userId, ...role });
    const { subject } = person;
    setSignOnCookie(sealer, request, reply, 'linking', {
      ...{ accountId, issuer, clientId, subject },
      ...found.linking,
      ...role,
    });
    return reply.code(202).send({ success: true, email: found.linking.email });
  });

  attach(app, SSO_ROUTES.link, async (request, reply) => {
    refuseForeignOrigin(request);
    const linking = sealer && readSignOnCookie(sealer, request, 'linking');
    if (!linking) throw ssoFailed({ why: 'no link is under way in this browser' });
    const { userId, email } = linking;
    const { password, otp } = request.body;
    const { login } = await checkLogin(deps, request, reply, {
      ...{ email, password, otp, device: readDeviceCookie(request) },
    });
    // The address is somebody else's by now.
    if (login.userId !== userId) throw credentialsWrong();
    const by = await voucherOf(deps, linking);
    const audit = auditOf(createId, request, { action: 'sso.connected', target: userId, userId });
    if ('roleOf' in by) {
      if (!(await bindOperator(db, linking, login, audit)))
        throw ssoRefused('Another user is connected to this person of the identity provider.');
    } else {
      const member = { userId, email, role: by.connection.default_role };
      if (!(await bindIdentity(db, identityOf(by.accountId, linking), member, audit)))
        throw ssoRefused('Your account has no room for another member. Ask an owner of the account.');
    }
    clearSignOnCookie(request, reply);
    return open(request, reply, linking);
  });

  async function open(
    request: FastifyRequest,
    reply: FastifyReply,
    { accountId, userId, operatorRole }: Pick<Linking, 'accountId' | 'userId' | 'operatorRole'>,
  ) {
    const opened = accountId ?? (await findAccountOfPassword(db, userId));
    if (opened === null) throw ssoRequired({ userId });
    return openSession(app, deps, request, reply, {
      ...{ userId, accountId: opened, cookie: true, secondFactor: false },
      vouched: operatorRole ?? 'account',
    });
  }
}

async function begin(
  { providers }: Dependencies['sso'],
  request: FastifyRequest,
  reply: FastifyReply,
  by: Sealer,
  accountId: string | null,
  client: Client,
  email?: string,
) {
  const callback = callbackOf(request);
  const { url, expected } = await providers.begin(client, whileOpen(reply), callback, email);
  const { issuer, clientId } = client;
  setSignOnCookie(by, request, reply, 'waiting', { ...expected, accountId, issuer, clientId, callback });
  return { success: true as const, url };
}

/** The provider that a login began with. Refuses one that was changed meanwhile, because it vouches for other people. */
async function voucherOf(
  { db, sso: { operators } }: Pick<Dependencies, 'db' | 'sso'>,
  { accountId, issuer, clientId }: Began,
): Promise<OperatorProvider | { accountId: string; connection: SsoConnection }> {
  const changed = () => ssoFailed({ why: 'single sign-on was changed or removed meanwhile' });
  if (accountId === null) {
    if (operators?.issuer !== issuer || operators.clientId !== clientId) throw changed();
    return operators;
  }
  const connection = await forAccount(db, accountId).sso.find();
  if (connection?.issuer !== issuer || connection.client_id !== clientId) throw changed();
  return { accountId, connection };
}

const identityOf = (
  accountId: string,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Identity => ({ accountId, issuer, subject });

/** The page of this server that the provider sends people back to; the provider allows only the one in its settings. */
const callbackOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}${SSO_CALLBACK}`;

function clientOf(sealer: Sealer, accountId: string, connection: SsoConnection): Client {
  const { issuer, client_id: clientId } = connection;
  const clientSecret = sealer.open(connection.client_secret, aboutSignOn(accountId));
  if (clientSecret === null) throw ssoUnavailable({ why: 'no key of SECRETS_KEY opens the client secret' });
  return { owner: accountId, issuer, clientId, clientSecret };
}
