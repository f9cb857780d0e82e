import type { HookKind, Refusable } from '@verdict/contracts/hook-kinds.js';
import type { Audit } from '../accounts/audited.js';
import { type Changed, changeAccount } from '../accounts/change-account.js';
import type { Database } from '../database/client.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { HookRow } from './hook-row.js';

export const HOOKS_PER_ACCOUNT_MAX = 5;

export interface HookPatch {
  readonly key_id?: string;
  readonly refuse?: readonly Refusable[];
  readonly on_error?: 'allow' | 'refuse';
  readonly message?: string;
  /** Encrypted. */
  readonly secret?: string;
}

export interface NewHook extends Required<HookPatch> {
  readonly id: string;
  readonly kind: HookKind;
}

const SHOWN = Prisma.sql`id, kind, key_id, refuse, on_error, message, ${timestampText('created_at')} AS created_at`;

/** The sign-up hooks of one account. */
export function createHooks(db: Database, accountId: string) {
  const own = (id: string) => Prisma.sql`id = ${id} AND account_id = ${accountId}`;
  /** A key of this account that may check and was not revoked: with another one every sign-up would get `on_error`. */
  const isUsable = (keyId: string) => Prisma.sql`EXISTS (
    SELECT 1 FROM api_keys
    WHERE id = ${keyId} AND account_id = ${accountId} AND status <> 'revoked' AND 'check' = ANY (scopes))`;

  return {
    list(): Promise<HookRow[]> {
      return rowsOf(db, HookRow)`
        SELECT ${SHOWN} FROM hooks WHERE account_id = ${accountId} ORDER BY hooks.created_at, id`;
    },

    async find(id: string): Promise<HookRow | undefined> {
      const rows = await rowsOf(db, HookRow)`SELECT ${SHOWN} FROM hooks WHERE ${own(id)}`;
      return rows[0];
    },

    /** Encrypted. */
    async secret(id: string): Promise<string | undefined> {
      const hook = await db.hook.findUnique({ where: { id, accountId }, select: { secret: true } });
      return hook?.secret;
    },

    /** No row when the account has its five already, or the key is not one of its that check. */
    create(hook: NewHook, audit: Audit): Promise<Changed<HookRow>> {
      return changeAccount(db, {
        accountId,
        change: Prisma.sql`
          INSERT INTO hooks (id, account_id, kind, key_id, refuse, on_error, message, secret)
          SELECT ${hook.id}, ${accountId}, ${hook.kind}, ${hook.key_id}, ${[...hook.refuse]}::text[], ${hook.on_error},
            ${hook.message}, ${hook.secret}
          WHERE ${isUsable(hook.key_id)}
            AND (SELECT count(*) FROM hooks WHERE account_id = ${accountId}) < ${HOOKS_PER_ACCOUNT_MAX}
          RETURNING ${SHOWN}`,
        returns: HookRow,
        audit,
      });
    },

    /** No row when there is no such hook, or the key is not one of the account's that check. */
    update(id: string, patch: HookPatch, audit: Audit): Promise<Changed<HookRow>> {
      const { key_id: keyId, refuse, on_error: onError, message, secret } = patch;
      return changeAccount(db, {
        accountId,
        change: Prisma.sql`
          UPDATE hooks SET key_id = coalesce(${keyId ?? null}, key_id),
            refuse = coalesce(${refuse ? [...refuse] : null}::text[], refuse),
            on_error = coalesce(${onError ?? null}, on_error), message = coalesce(${message ?? null}, message),
            secret = coalesce(${secret ?? null}, secret)
          WHERE ${own(id)}${keyId === undefined ? Prisma.empty : Prisma.sql` AND ${isUsable(keyId)}`}
          RETURNING ${SHOWN}`,
        returns: HookRow,
        audit,
      });
    },

    /** No row when there is no such hook. */
    remove(id: string, audit: Audit): Promise<Changed<HookRow>> {
      return changeAccount(db, {
        accountId,
        change: Prisma.sql`DELETE FROM hooks WHERE ${own(id)} RETURNING ${SHOWN}`,
        returns: HookRow,
        audit,
      });
    },
  };
}
