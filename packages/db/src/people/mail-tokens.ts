import type { Database } from '../database/client.js';
import { nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import { insertMail, type OutgoingMail } from './outgoing-mails.js';

export type TokenPurpose = 'registration' | 'password_reset' | 'address';

export interface NewMailToken {
  readonly hash: string;
  readonly purpose: TokenPurpose;
  readonly email: string;
  readonly name?: string | null;
  readonly passwordHash?: string;
  readonly lifeSeconds: number;
}

/** The token and the mail that carries it, both or neither. The same for every address, registered or not. */
export async function createMailToken(db: Database, token: NewMailToken, mail: OutgoingMail): Promise<void> {
  const { hash, purpose, email, name = null, passwordHash = null, lifeSeconds } = token;
  await db.$transaction([
    db.$executeRaw`
      INSERT INTO mail_tokens (hash, purpose, email, name, password_hash, expires_at)
      VALUES (${hash}, ${purpose}, ${email}, ${name}, ${passwordHash}, now() + make_interval(secs => ${lifeSeconds}))`,
    db.$executeRaw(insertMail(mail)),
  ]);
}

const MailTokenRow = { email: text, name: nullable(text), password_hash: nullable(text) };
export type MailTokenRow = RowOf<typeof MailTokenRow>;

const live = (hash: string, purpose: TokenPurpose): Prisma.Sql =>
  Prisma.sql`hash = ${hash} AND purpose = ${purpose} AND expires_at > now()`;

export async function readMailToken(
  db: Database,
  hash: string,
  purpose: TokenPurpose,
): Promise<MailTokenRow | null> {
  const rows = await rowsOf(db, MailTokenRow)`
    SELECT email, name, password_hash FROM mail_tokens WHERE ${live(hash, purpose)}`;
  return rows[0] ?? null;
}

/** Uses a token up: of two who show it at the same moment one gets it. */
export async function takeMailToken(
  db: Database,
  hash: string,
  purpose: TokenPurpose,
): Promise<MailTokenRow | null> {
  const rows = await rowsOf(db, MailTokenRow)`
    DELETE FROM mail_tokens WHERE ${live(hash, purpose)} RETURNING email, name, password_hash`;
  return rows[0] ?? null;
}

/** Every other link of an address, once one has been used. */
export async function deleteMailTokens(db: Database, email: string): Promise<void> {
  await db.mailToken.deleteMany({ where: { email } });
}

export const deleteExpiredMailTokens = (db: Database): Promise<number> =>
  db.$executeRaw`DELETE FROM mail_tokens WHERE expires_at < now()`;
