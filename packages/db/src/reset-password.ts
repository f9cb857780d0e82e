import { type Audit, audited } from './audited.js';
import type { Database } from './client.js';
import { Prisma } from './generated/client.js';

/** Sets a password by the operator's hand and ends every session of the user. */
export async function resetPassword(
  db: Database,
  user: { userId: string; accountId: string },
  passwordHash: string,
  audit: Audit,
): Promise<void> {
  const change = Prisma.sql`
    UPDATE users SET password_hash = ${passwordHash} WHERE id = ${user.userId} RETURNING id`;
  await db.$transaction([
    db.$queryRaw(audited(user.accountId, change, audit)),
    db.session.updateMany({
      where: { userId: user.userId, revokedAt: null },
      data: { revokedAt: new Date() },
    }),
  ]);
}
