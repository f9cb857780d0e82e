import type { Database } from './client.js';

export interface KeyLine {
  readonly [column: string]: string | number;
  readonly key: string;
  readonly account: string;
  readonly name: string;
  readonly ends_with: string;
  readonly status: string;
  readonly last_used_at: string;
}

export async function listKeys(db: Database, accountId?: string): Promise<KeyLine[]> {
  const keys = await db.apiKey.findMany({
    ...(accountId === undefined ? {} : { where: { accountId } }),
    orderBy: { createdAt: 'asc' },
  });
  return keys.map((key) => ({
    key: key.id,
    account: key.accountId,
    name: key.name,
    ends_with: key.lastFour,
    status: key.status,
    last_used_at: key.lastUsedAt?.toISOString() ?? 'never',
  }));
}

/** Key and version change in one statement: a crash in between would leave a revoked key working. */
export async function revokeKey(db: Database, keyId: string): Promise<boolean> {
  const changed = await db.$executeRaw`
    WITH revoked AS (
      UPDATE api_keys SET status = 'revoked', revoked_at = now() WHERE id = ${keyId} AND status <> 'revoked'
      RETURNING account_id
    )
    UPDATE accounts SET version = version + 1 FROM revoked WHERE accounts.id = revoked.account_id`;
  return changed === 1;
}
