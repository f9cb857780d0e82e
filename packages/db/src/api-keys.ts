import type { Audit } from './audited.js';
import { type Changed, changeAccount } from './change-account.js';
import type { Database } from './client.js';
import { Prisma } from './generated/client.js';
import { timestampText } from './sql-timestamp.js';

export const KEYS_PER_ACCOUNT_MAX = 5;

export interface ApiKeyRow {
  id: string;
  name: string;
  prefix: string;
  last_four: string;
  status: 'active' | 'inactive' | 'revoked';
  created_at: string;
  last_used_at: string | null;
}

/** A fresh secret, as it is stored. */
export interface NewSecret {
  readonly secretHash: string;
  readonly prefix: string;
  readonly lastFour: string;
}

const SHOWN = Prisma.sql`id, name, prefix, last_four, status,
  ${timestampText('created_at')} AS created_at, ${timestampText('last_used_at')} AS last_used_at`;

export type ApiKeys = ReturnType<typeof createApiKeys>;

/** The keys of one account; there is no way to reach another's from here. */
export function createApiKeys(db: Database, accountId: string) {
  const own = (id: string) => Prisma.sql`id = ${id} AND account_id = ${accountId}`;

  return {
    list(includeRevoked: boolean): Promise<ApiKeyRow[]> {
      return db.$queryRaw<ApiKeyRow[]>`
        SELECT ${SHOWN} FROM api_keys
        WHERE account_id = ${accountId} AND (${includeRevoked} OR status <> 'revoked')
        ORDER BY api_keys.created_at, id`;
    },

    async find(id: string): Promise<ApiKeyRow | undefined> {
      const rows = await db.$queryRaw<ApiKeyRow[]>`SELECT ${SHOWN} FROM api_keys WHERE ${own(id)}`;
      return rows[0];
    },

    /** No row when the account has its five already. */
    create(id: string, name: string, secret: NewSecret, audit: Audit): Promise<Changed<ApiKeyRow>> {
      return changeAccount(db, {
        accountId,
        change: Prisma.sql`
          INSERT INTO api_keys (id, account_id, name, prefix, last_four, secret_hash)
          SELECT ${id}, ${accountId}, ${name}, ${secret.prefix}, ${secret.lastFour}, ${secret.secretHash}
          WHERE (SELECT count(*) FROM api_keys WHERE account_id = ${accountId} AND status <> 'revoked')
                < ${KEYS_PER_ACCOUNT_MAX}
          RETURNING ${SHOWN}`,
        audit,
      });
    },

    /** No row when there is no such key, or when it was revoked for good. */
    update(
      id: string,
      patch: { name?: string; active?: boolean },
      audit: Audit,
    ): Promise<Changed<ApiKeyRow>> {
      const status = patch.active === undefined ? null : patch.active ? 'active' : 'inactive';
      return changeAccount(db, {
        accountId,
        change: Prisma.sql`
          UPDATE api_keys SET name = coalesce(${patch.name ?? null}, name), status = coalesce(${status}, status)
          WHERE ${own(id)} AND status <> 'revoked'
          RETURNING ${SHOWN}`,
        audit,
      });
    },

    /** No row when there is no such key, or when it was revoked before. */
    revoke(id: string, audit: Audit): Promise<Changed<ApiKeyRow>> {
      return changeAccount(db, {
        accountId,
        change: Prisma.sql`
          UPDATE api_keys SET status = 'revoked', revoked_at = now()
          WHERE ${own(id)} AND status <> 'revoked'
          RETURNING ${SHOWN}`,
        audit,
      });
    },

    /**
     * Gives the key a new secret. The present one works for the overlap; one that was already in its overlap ends now,
     * so a key has two secrets at most and rolling cannot multiply the five.
     */
    roll(
      id: string,
      secret: NewSecret,
      overlapSeconds: number,
      audit: Audit,
    ): Promise<Changed<ApiKeyRow & { old_secret_expires_at: string }>> {
      const live = Prisma.sql`SELECT id FROM api_keys WHERE ${own(id)} AND status <> 'revoked'`;
      return changeAccount(db, {
        accountId,
        before: [
          Prisma.sql`UPDATE retired_secrets SET expires_at = least(expires_at, now()) WHERE key_id IN (${live})`,
          Prisma.sql`
            INSERT INTO retired_secrets (secret_hash, key_id, expires_at)
            SELECT secret_hash, id, now() + make_interval(secs => ${overlapSeconds})
            FROM api_keys WHERE id IN (${live})`,
        ],
        change: Prisma.sql`
          UPDATE api_keys
          SET secret_hash = ${secret.secretHash}, prefix = ${secret.prefix}, last_four = ${secret.lastFour}
          WHERE ${own(id)} AND status <> 'revoked'
          RETURNING ${SHOWN},
            ${timestampText(`(now() + make_interval(secs => ${Number(overlapSeconds)}))`)} AS old_secret_expires_at`,
        audit,
      });
    },
  };
}
