import { parseEmail } from '@verdict/domain/address/parse-email.js';
import type { Database } from '../database/client.js';

export interface FoundAccount {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
}

/** An account by its id or by the email address of one of its users; null when there is none. */
export async function findAccount(db: Database, idOrEmail: string): Promise<FoundAccount | null> {
  const select = { id: true, name: true, plan: true } as const;
  if (!idOrEmail.includes('@')) return db.account.findUnique({ where: { id: idOrEmail }, select });
  const parsed = parseEmail(idOrEmail);
  if (!parsed.ok) return null;
  const user = await db.user.findUnique({
    where: { email: parsed.address.canonical },
    select: { account: { select } },
  });
  return user?.account ?? null;
}
