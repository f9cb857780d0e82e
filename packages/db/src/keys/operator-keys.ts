import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { Prisma } from '../generated/client.js';

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

/** Whose key it is, for a change that needs its account; null when there is none. */
export async function findKeyAccount(db: Database, keyId: string): Promise<string | null> {
  const key = await db.apiKey.findUnique({ where: { id: keyId }, select: { accountId: true } });
  return key?.accountId ?? null;
}

/** Where the customer books the checks of a key; null empties it. False when there is no such key. */
export async function setCostCentre(
  db: Database,
  keyId: string,
  costCentre: string | null,
  audit: Audit,
): Promise<boolean> {
  const accountId = await findKeyAccount(db, keyId);
  if (!accountId) return false;
  const change = Prisma.sql`UPDATE api_keys SET cost_centre = ${costCentre} WHERE id = ${keyId} RETURNING id`;
  return (await db.$executeRaw(audited(accountId, change, audit))) > 0;
}
