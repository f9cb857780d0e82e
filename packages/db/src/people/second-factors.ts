import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { bool, int, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

const SecondFactorRow = { sealed: text, confirmed: bool, codes_left: int };
export type SecondFactorRow = RowOf<typeof SecondFactorRow>;

export async function findSecondFactor(db: Database, userId: string): Promise<SecondFactorRow | null> {
  const rows = await rowsOf(db, SecondFactorRow)`
    SELECT sealed, confirmed_at IS NOT NULL AS confirmed,
           (SELECT count(*)::int FROM recovery_codes WHERE user_id = ${userId}) AS codes_left
    FROM second_factors WHERE user_id = ${userId}`;
  return rows[0] ?? null;
}

/** A secret that waits for its first code; false when there is a confirmed one already. */
export async function offerSecondFactor(db: Database, userId: string, sealed: string): Promise<boolean> {
  const changed = await db.$executeRaw`
    INSERT INTO second_factors AS f (user_id, sealed) VALUES (${userId}, ${sealed})
    ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, created_at = now(), last_step = 0
    WHERE f.confirmed_at IS NULL`;
  return changed > 0;
}

interface Owner {
  readonly userId: string;
  readonly accountId: string;
}

/** Another second factor ends every login but the one that changed it; a thief's would otherwise outlive the remedy. */
const endOthers = (db: Database, { userId, sessionId }: { userId: string; sessionId: string }) =>
  db.$executeRaw`
    UPDATE sessions SET revoked_at = now() WHERE user_id = ${userId} AND id <> ${sessionId} AND revoked_at IS NULL
      AND EXISTS (SELECT FROM second_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`;

const storeCodes = (db: Database, userId: string, hashes: readonly string[]) => [
  db.recoveryCode.deleteMany({ where: { userId } }),
  db.$executeRaw`
    INSERT INTO recovery_codes (user_id, hash) SELECT user_id, unnest(${[...hashes]}::text[]) FROM second_factors
    WHERE user_id = ${userId}`,
];

/** The first code was right: logins now need one. False when the secret has changed meanwhile. */
export async function confirmSecondFactor(
  db: Database,
  { userId, accountId, sessionId }: Owner & { readonly sessionId: string },
  { sealed, step, codeHashes }: { sealed: string; step: number; codeHashes: readonly string[] },
  audit: Audit,
): Promise<boolean> {
  const change = Prisma.sql`
    UPDATE second_factors SET confirmed_at = now(), last_step = ${step}
    WHERE user_id = ${userId} AND sealed = ${sealed} AND confirmed_at IS NULL RETURNING user_id`;
  const [confirmed] = await db.$transaction([
    db.$executeRaw(audited(accountId, change, audit)),
    ...storeCodes(db, userId, codeHashes),
    endOthers(db, { userId, sessionId }),
    // now() is the moment of this transaction: nothing happens where another confirmation was faster.
    db.$executeRaw`
      UPDATE sessions SET second_factor = true WHERE id = ${sessionId}
        AND EXISTS (SELECT FROM second_factors WHERE user_id = ${userId} AND confirmed_at = now())`,
  ]);
  return confirmed > 0;
}

/** New recovery codes in place of all earlier ones. */
export async function replaceRecoveryCodes(
  db: Database,
  { userId, accountId }: Owner,
  codeHashes: readonly string[],
  audit: Audit,
): Promise<void> {
  const change = Prisma.sql`SELECT user_id FROM second_factors WHERE user_id = ${userId}`;
  await db.$transaction([
    db.$executeRaw(audited(accountId, change, audit)),
    ...storeCodes(db, userId, codeHashes),
  ]);
}

/** Takes a code of a time step; false when one of this step or a later one was taken before. */
export async function takeStep(db: Database, userId: string, step: number): Promise<boolean> {
  const { count } = await db.secondFactor.updateMany({
    where: { userId, lastStep: { lt: step } },
    data: { lastStep: step },
  });
  return count > 0;
}

export async function takeRecoveryCode(db: Database, userId: string, hash: string): Promise<boolean> {
  const { count } = await db.recoveryCode.deleteMany({ where: { userId, hash } });
  return count > 0;
}

/** By the user from a login, which stays, or by an operator for a user who lost phone and codes. False when there was none. */
export async function removeSecondFactor(
  db: Database,
  { userId, accountId, sessionId = '' }: Owner & { readonly sessionId?: string },
  audit: Audit,
): Promise<boolean> {
  const change = Prisma.sql`DELETE FROM second_factors WHERE user_id = ${userId} RETURNING user_id`;
  const [, removed] = await db.$transaction([
    endOthers(db, { userId, sessionId }),
    db.$executeRaw(audited(accountId, change, audit)),
    db.recoveryCode.deleteMany({ where: { userId } }),
  ]);
  return removed > 0;
}
