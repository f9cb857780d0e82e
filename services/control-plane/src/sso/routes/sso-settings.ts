import { randomBytes } from 'node:crypto';
import { type SetSsoBody, SSO_CALLBACK, type Sso } from '@verdict/contracts/dashboard/sso-api.js';
import { SSO_ROUTES } from '@verdict/contracts/routes/sso-routes.js';
import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { SsoConnection } from '@verdict/db/sso/sso-connection.js';
import { parseMailDomain } from '@verdict/domain/address/parse-mail-domain.js';
import { aboutSignOn } from '@verdict/domain/sealed-text.js';
import { parseWebhookUrl } from '@verdict/domain/webhook-url.js';
import { takeAttempt } from '@verdict/redis-store/login-attempts.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField, notSetUp, tooManyProofs } from '@verdict/service-kit/errors.js';
import { valuesOf } from '@verdict/service-kit/settings.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere } from '../../http/own-id.js';
import { findProven, recordOf } from '../find-proven.js';

/** Of an account: each look asks up to 20 domains of its choice. */
const PROOFS_PER_MINUTE = 6;
const MINUTE_MS = 60_000;

/** The single sign-on that an owner sets up for the members of the account. */
export function ssoSettingsRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { createId, sso, webhooks, config, redis } = deps;
  const { sealer, providers } = sso;
  const dnsServers = valuesOf(config.DNS_SERVERS);
  const show = async (account: AccountScope) => ({
    success: true as const,
    available: sealer !== null,
    callback: SSO_CALLBACK,
    sso: showSso(await account.sso.find()),
  });

  attach(app, SSO_ROUTES.show, ({ caller: { account } }) => show(account));

  attach(app, SSO_ROUTES.set, async (request, reply) => {
    const { account } = request.caller;
    const { body } = request;
    if (!sealer) throw notSetUp('Single sign-on is not available: the server has no SECRETS_KEY.');
    const before = await account.sso.find();
    const domains = domainsOf(body);
    if (body.enforce && !before?.domains.some(({ domain, proven }) => proven && domains.includes(domain)))
      throw invalidField('enforce', 'needs a proven domain, or members could not log in');
    const judged = parseWebhookUrl(body.issuer, webhooks.policy);
    if (!judged.ok) throw invalidField('issuer', 'must be an https address that this server can reach');
    const about = aboutSignOn(account.id);
    const { issuer, client_id: clientId } = body;
    // Another provider would be sent the secret of the one before.
    const kept = before?.issuer === issuer ? sealer.open(before.client_secret, about) : null;
    const clientSecret = body.client_secret ?? kept;
    if (clientSecret === null) throw invalidField('client_secret', 'is required for a new issuer');
    await providers
      .probe({ owner: account.id, issuer, clientId, clientSecret }, whileOpen(reply))
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'sso_unavailable')
          throw invalidField('issuer', 'does not answer as an OpenID provider of this issuer');
        throw error;
      });
    const { default_role: defaultRole, enforce } = body;
    const details = {
      ...{ issuer, client_id: clientId, domains, default_role: defaultRole, enforce },
      ...(body.client_secret !== undefined && { secret: 'changed' }),
    };
    await account.sso.set(
      {
        ...{ issuer, clientId, defaultRole, enforce, domains },
        clientSecret: sealer.seal(clientSecret, about),
        proof: randomBytes(20).toString('base64url'),
      },
      auditOf(createId, request, { action: 'sso.set', details }),
    );
    return show(account);
  });

  attach(app, SSO_ROUTES.prove, async (request) => {
    const { account } = request.caller;
    const connection = await account.sso.find();
    if (!connection) throw nothingHere();
    const waitMs = await takeAttempt(redis, `proofs:${account.id}`, PROOFS_PER_MINUTE, MINUTE_MS);
    if (waitMs > 0) throw tooManyProofs(PROOFS_PER_MINUTE, Math.ceil(waitMs / 1_000));
    const open = connection.domains.flatMap(({ domain, proven }) => (proven ? [] : [domain]));
    for (const domain of await findProven(open, connection.proof, dnsServers)) {
      const audit = auditOf(createId, request, { action: 'sso.domain_proven', details: { domain } });
      await account.sso.prove(domain, audit);
    }
    return show(account);
  });

  attach(app, SSO_ROUTES.remove, async (request) => {
    const audit = auditOf(createId, request, { action: 'sso.removed' });
    if (!(await request.caller.account.sso.remove(audit))) throw nothingHere();
    return { success: true };
  });
}

function domainsOf({ domains }: SetSsoBody): string[] {
  const parsed = domains.map((text) => {
    const result = parseMailDomain(text.trim().toLowerCase());
    if (!result.ok) throw invalidField('domains', `${text.slice(0, 100)}: ${result.message}`);
    return result.domain.ascii;
  });
  return [...new Set(parsed)];
}

function showSso(connection: SsoConnection | null): Sso | null {
  if (!connection) return null;
  const { issuer, client_id, default_role, enforce, proof } = connection;
  const domains = connection.domains.map(({ domain, proven }) => {
    const { name, value } = recordOf(domain, proof);
    return { domain, proven, record_name: name, record_value: value };
  });
  return { issuer, client_id, default_role, enforce, domains };
}
