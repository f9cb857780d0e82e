import type { KeyMode } from '@verdict/domain/key-words.js';
import { DEFAULT_SCOPES, type KeyScope } from '@verdict/domain/key-words.js';
import type { Audit } from '../accounts/audited.js';
import { type Changed, changeAccount } from '../accounts/change-account.js';
import type { Database } from '../database/client.js';
import { columnsOf, int, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

export const KEYS_PER_ACCOUNT_MAX = 5;

/** The limits of a key. */
export interface KeyTerms {
  /** ISO 8601; null: never. */
  readonly expires_at: string | null;
  /** Networks in the spelling of parseIpNetwork; none: from anywhere. */
  readonly allowed_ips: readonly string[];
  readonly monthly_quota: number | null;
  readonly scopes: readonly KeyScope[];
}

export interface NewKey extends KeyTerms {
  readonly name: string;
  readonly mode: KeyMode;
}

export interface KeyPatch extends Partial<KeyTerms> {
  readonly name?: string;
  readonly active?: boolean;
}

export const NO_TERMS: KeyTerms = {
  expires_at: null,
  allowed_ips: [],
  monthly_quota: null,
  scopes: DEFAULT_SCOPES,
};

const ApiKeyRow = columnsOf('apiKey');
export type ApiKeyRow = RowOf<typeof ApiKeyRow>;

/** A fresh secret, as it is stored. */
export interface NewSecret {
  readonly secretHash: string;
  readonly prefix: string;
  readonly lastFour: string;
}

const SHOWN = Prisma.sql`id, name, prefix, last_four, mode, status,
  ${timestampText('created_at')} AS created_at, ${timestampText('last_used_at')} AS last_used_at,
  ${timestampText('expires_at')} AS expires_at, allowed_ips, monthly_quota, scopes,
  client, dropped_ips, ${timestampText('dropped_ips_at')} AS dropped_ips_at,
  (SELECT jsonb_build_object('expires_at', ${timestampText('r.expires_at')}, 'last_used_at', ${timestampText('r.last_used_at')})
   FROM retired_secrets r
   WHERE r.key_id = api_keys.id AND r.expires_at > now() AND api_keys.status <> 'revoked'
   ORDER BY r.expires_at DESC LIMIT 1) AS old_value`;

export type ApiKeys = ReturnType<typeof createApiKeys>;

const lastRevoked = (accountId: string, countMax: number): Prisma.Sql => Prisma.sql`
  SELECT id FROM api_keys WHERE account_id = ${accountId} AND status = 'revoked'
  ORDER BY revoked_at DESC, id DESC LIMIT ${countMax}::bigint`;

/** The keys of one account; there is no way to reach another's from here. */
export function createApiKeys(db: Database, accountId: string) {
  const own = (id: string) => Prisma.sql`id = ${id} AND account_id = ${accountId}`;
  const made = Prisma.sql`((SELECT count(*) FROM api_keys WHERE account_id = ${accountId})
    + (SELECT count(*) FROM retired_secrets r JOIN api_keys k ON k.id = r.key_id WHERE k.account_id = ${accountId}))::int`;
  const change = (statement: Prisma.Sql, audit: Audit): Promise<Changed<ApiKeyRow>> =>
    changeAccount(db, { accountId, change: statement, returns: ApiKeyRow, audit });

  return {
    /** Those that are not revoked, and of the others as many as are asked for, the last revoked first. */
    list: (revokedMax: number): Promise<ApiKeyRow[]> => rowsOf(db, ApiKeyRow)`
      SELECT ${SHOWN} FROM api_keys
      WHERE account_id = ${accountId} AND (status <> 'revoked' OR id IN (${lastRevoked(accountId, revokedMax)}))
      ORDER BY api_keys.created_at, id`,

    async find(id: string): Promise<ApiKeyRow | undefined> {
      const rows = await rowsOf(db, ApiKeyRow)`SELECT ${SHOWN} FROM api_keys WHERE ${own(id)}`;
      return rows[0];
    },

    /** How many values were made so far, rolled and revoked ones included. */
    async made(): Promise<number> {
      const rows = await rowsOf(db, { made: int })`SELECT ${made} AS made`;
      return rows[0]?.made ?? 0;
    },

    /** No row when the account has its five already, or has made all that it may. */
    create(
      id: string,
      key: NewKey,
      secret: NewSecret,
      everMax: number,
      audit: Audit,
    ): Promise<Changed<ApiKeyRow>> {
      return change(
        Prisma.sql`
          ${inserted(accountId, id, key, secret)}
          WHERE (SELECT count(*) FROM api_keys WHERE account_id = ${accountId} AND status <> 'revoked')
                < ${KEYS_PER_ACCOUNT_MAX} AND ${made} < ${everMax}::bigint
          RETURNING ${SHOWN}`,
        audit,
      );
    },

    /** No row when there is no such key, or when it was revoked. */
    update(id: string, patch: KeyPatch, audit: Audit): Promise<Changed<ApiKeyRow>> {
      return change(
        Prisma.sql`UPDATE api_keys SET ${patched(patch)} WHERE ${own(id)} AND status <> 'revoked' RETURNING ${SHOWN}`,
        audit,
      );
    },

    /** No row when there is no such key, or when it was revoked before. */
    revoke: (id: string, audit: Audit): Promise<Changed<ApiKeyRow>> =>
      change(
        Prisma.sql`
          UPDATE api_keys SET status = 'revoked', revoked_at = now()
          WHERE ${own(id)} AND status <> 'revoked' RETURNING ${SHOWN}`,
        audit,
      ),

    /** No row when the key has no old value that still works. */
    endOldValue: (id: string, audit: Audit): Promise<Changed<{ key_id: string }>> =>
      changeAccount(db, {
        accountId,
        change: Prisma.sql`
          UPDATE retired_secrets SET expires_at = now()
          WHERE key_id IN (SELECT id FROM api_keys WHERE ${own(id)}) AND expires_at > now() RETURNING key_id`,
        returns: { key_id: text },
        audit,
      }),

    /**
     * Gives the key a new secret; the current one works for the overlap, and an older one ends now, so a key has two
     * secrets at most. No row when the key is unknown or revoked, or the account has used up its keys.
     */
    roll(
      id: string,
      secret: NewSecret,
      overlapSeconds: number,
      everMax: number,
      audit: Audit,
    ): Promise<Changed<ApiKeyRow & { old_secret_expires_at: string }>> {
      // Where the second statement retired nothing, the third finds no secret that it may replace.
      const live = Prisma.sql`SELECT id FROM api_keys WHERE ${own(id)} AND status <> 'revoked' AND ${made} < ${everMax}::bigint`;
      return changeAccount(db, {
        accountId,
        before: retire(live, overlapSeconds),
        change: Prisma.sql`
          UPDATE api_keys
          SET secret_hash = ${secret.secretHash}, prefix = ${secret.prefix}, last_four = ${secret.lastFour}
          WHERE ${own(id)} AND status <> 'revoked'
            AND secret_hash IN (SELECT secret_hash FROM retired_secrets WHERE key_id = ${id})
          RETURNING ${SHOWN},
            ${timestampText(`(now() + make_interval(secs => ${Number(overlapSeconds)}))`)} AS old_secret_expires_at`,
        returns: { ...ApiKeyRow, old_secret_expires_at: text },
        audit,
      });
    },
  };
}

/** The row of a new key, up to the condition under which it is made. */
const inserted = (accountId: string, id: string, key: NewKey, secret: NewSecret): Prisma.Sql => Prisma.sql`
  INSERT INTO api_keys (id, account_id, name, prefix, last_four, secret_hash, expires_at, allowed_ips,
    monthly_quota, scopes, mode)
  SELECT ${id}, ${accountId}, ${key.name}, ${secret.prefix}, ${secret.lastFour}, ${secret.secretHash},
    ${key.expires_at}::timestamptz, ${[...key.allowed_ips]}::text[], ${key.monthly_quota}::int,
    ${[...key.scopes]}::text[], ${key.mode}`;

/** Ends the old values of these keys, and lets the current ones work for the overlap. */
const retire = (keys: Prisma.Sql, overlapSeconds: number): Prisma.Sql[] => [
  Prisma.sql`UPDATE retired_secrets SET expires_at = least(expires_at, now()) WHERE key_id IN (${keys})`,
  Prisma.sql`
    INSERT INTO retired_secrets (secret_hash, key_id, expires_at)
    SELECT secret_hash, id, now() + make_interval(secs => ${overlapSeconds})
    FROM api_keys WHERE id IN (${keys})`,
];

/** The assignments of a patch; a column that it does not name keeps its value. */
function patched(patch: KeyPatch): Prisma.Sql {
  const status = patch.active === undefined ? null : patch.active ? 'active' : 'inactive';
  return Prisma.sql`name = coalesce(${patch.name ?? null}, name), status = coalesce(${status}, status),
    expires_at = CASE WHEN ${patch.expires_at === undefined} THEN expires_at
                      ELSE ${patch.expires_at ?? null}::timestamptz END,
    monthly_quota = CASE WHEN ${patch.monthly_quota === undefined} THEN monthly_quota
                         ELSE ${patch.monthly_quota ?? null}::int END,
    allowed_ips = coalesce(${patch.allowed_ips ? [...patch.allowed_ips] : null}::text[], allowed_ips),
    scopes = coalesce(${patch.scopes ? [...patch.scopes] : null}::text[], scopes)`;
}
