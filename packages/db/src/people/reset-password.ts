import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { Prisma } from '../generated/client.js';

/** Sets a password for a user who is not logged in, and ends all their sessions. */
export async function resetPassword(
  db: Database,
  user: { userId: string; accountId: string },
  passwordHash: string,
  audit: Audit,
  /** The new password came by way of a mail to the address. */
  verified = false,
): Promise<void> {
  const change = Prisma.sql`
    UPDATE users SET password_hash = ${passwordHash},
      email_verified_at = CASE WHEN ${verified} THEN coalesce(email_verified_at, now()) ELSE email_verified_at END
    WHERE id = ${user.userId} RETURNING id`;
  await db.$transaction([
    db.$executeRaw(audited(user.accountId, change, audit)),
    db.session.updateMany({
      where: { userId: user.userId, revokedAt: null },
      data: { revokedAt: new Date() },
    }),
  ]);
}
