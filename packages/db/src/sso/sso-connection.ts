import { SSO_ROLES, type SsoRole } from '@verdict/domain/role.js';
import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { bool, list, oneOf, type RowOf, record, text } from '../database/columns.js';
import { sqlStateOf, UNIQUE_VIOLATION } from '../database/database-failure.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

const SsoConnection = {
  issuer: text,
  client_id: text,
  /** Encrypted. */
  client_secret: text,
  default_role: oneOf(...SSO_ROLES),
  enforce: bool,
  proof: text,
  domains: list(record({ domain: text, proven: bool })),
};
export type SsoConnection = RowOf<typeof SsoConnection>;

export interface SsoTerms {
  readonly issuer: string;
  readonly clientId: string;
  /** Encrypted. */
  readonly clientSecret: string;
  readonly defaultRole: SsoRole;
  readonly enforce: boolean;
  readonly domains: readonly string[];
  /** For a connection that is new. */
  readonly proof: string;
}

/** The identity provider of one account. */
export function createSsoConnection(db: Database, accountId: string) {
  /** Logins that the provider vouched for end with what they were vouched by. */
  const endLogins = (unless: Prisma.Sql) => db.$executeRaw`
    UPDATE sessions SET revoked_at = now()
    WHERE sso_account_id = ${accountId} AND revoked_at IS NULL AND NOT ${unless}`;

  return {
    async find(): Promise<SsoConnection | null> {
      const [found] = await rowsOf(db, SsoConnection)`
        SELECT c.issuer, c.client_id, c.client_secret, c.default_role, c.enforce, c.proof,
               coalesce((SELECT jsonb_agg(jsonb_build_object('domain', d.domain, 'proven', d.proven_at IS NOT NULL) ORDER BY d.domain)
                         FROM sso_domains d WHERE d.account_id = c.account_id), '[]') AS domains
        FROM sso_connections c WHERE c.account_id = ${accountId}`;
      return found ?? null;
    },

    /** Sets it up, or changes it. Domains that stay keep their proof; another provider or client ends the logins of the one before. */
    async set(terms: SsoTerms, audit: Audit): Promise<void> {
      const { issuer, clientId, clientSecret, defaultRole, enforce, proof } = terms;
      const domains = [...terms.domains];
      const change = Prisma.sql`
        INSERT INTO sso_connections (account_id, issuer, client_id, client_secret, default_role, enforce, proof)
        VALUES (${accountId}, ${issuer}, ${clientId}, ${clientSecret}, ${defaultRole}, ${enforce}, ${proof})
        ON CONFLICT (account_id) DO UPDATE SET
          (issuer, client_id, client_secret, default_role, enforce) =
          ROW(excluded.issuer, excluded.client_id, excluded.client_secret, excluded.default_role, excluded.enforce)
        RETURNING account_id AS id`;
      await db.$transaction([
        endLogins(Prisma.sql`EXISTS (
          SELECT FROM sso_connections c WHERE c.account_id = ${accountId} AND c.issuer = ${issuer} AND c.client_id = ${clientId})`),
        db.$executeRaw(audited(accountId, change, audit)),
        db.$executeRaw`DELETE FROM sso_domains WHERE account_id = ${accountId} AND domain <> ALL(${domains}::text[])`,
        db.$executeRaw`
          INSERT INTO sso_domains (account_id, domain) SELECT ${accountId}, unnest(${domains}::text[])
          ON CONFLICT (account_id, domain) DO NOTHING`,
      ]);
    },

    /** Marks a domain as proven. False where there is no such domain, or another account has it. */
    prove: (domain: string, audit: Audit): Promise<boolean> => proveDomain(db, accountId, domain, audit),

    /** False when there was none. People who came in by it stay members. */
    async remove(audit: Audit): Promise<boolean> {
      const change = Prisma.sql`DELETE FROM sso_connections WHERE account_id = ${accountId} RETURNING account_id AS id`;
      const [, removed] = await db.$transaction([
        endLogins(Prisma.sql`false`),
        db.$executeRaw(audited(accountId, change, audit)),
      ]);
      return removed > 0;
    },
  };
}

/** For the account itself, which shows a TXT record, and for operators, who take its word. */
export async function proveDomain(
  db: Database,
  accountId: string,
  domain: string,
  audit: Audit,
): Promise<boolean> {
  const change = Prisma.sql`
    UPDATE sso_domains SET proven_at = now() WHERE account_id = ${accountId} AND domain = ${domain} AND proven_at IS NULL
    RETURNING domain AS id`;
  try {
    return (await db.$executeRaw(audited(accountId, change, audit))) > 0;
  } catch (error) {
    if (sqlStateOf(error) === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

/** The account whose members log in by single sign-on with addresses of a domain. */
export async function findAccountOfDomain(db: Database, domain: string): Promise<string | null> {
  const [found] = await rowsOf(db, { account_id: text })`
    SELECT account_id FROM sso_domains WHERE domain = ${domain} AND proven_at IS NOT NULL`;
  return found?.account_id ?? null;
}
