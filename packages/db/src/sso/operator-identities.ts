import { type Audit, insertAudit } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { text } from '../database/columns.js';
import { sqlStateOf, UNIQUE_VIOLATION } from '../database/database-failure.js';
import { rowsOf } from '../database/rows-of.js';
import type { Prisma } from '../generated/client.js';

/** Somebody as the provider of this server knows them. */
export interface OperatorIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** The user that an identity is bound to. */
export async function findOperatorOf(
  db: Database,
  { issuer, subject }: OperatorIdentity,
): Promise<string | null> {
  const [found] = await rowsOf(db, { user_id: text })`
    SELECT user_id FROM operator_identities WHERE issuer = ${issuer} AND subject = ${subject}`;
  return found?.user_id ?? null;
}

export const insertOperatorIdentity = (
  db: Database,
  { issuer, subject }: OperatorIdentity,
  userId: string,
): Prisma.PrismaPromise<number> =>
  db.$executeRaw`INSERT INTO operator_identities (issuer, subject, user_id) VALUES (${issuer}, ${subject}, ${userId})`;

/** Binds an identity to a user for good. False where it is somebody else's. */
export async function bindOperator(
  db: Database,
  identity: OperatorIdentity,
  { userId, accountId }: { readonly userId: string; readonly accountId: string },
  audit: Audit,
): Promise<boolean> {
  try {
    await db.$transaction([
      insertOperatorIdentity(db, identity, userId),
      db.$executeRaw(insertAudit(accountId, audit)),
    ]);
    return true;
  } catch (error) {
    if (sqlStateOf(error) === UNIQUE_VIOLATION) return false;
    throw error;
  }
}
