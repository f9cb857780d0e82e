import { Prisma } from '../generated/client.js';

/** Whether a password opens the account of a membership `m`: an owner's always, as the way back in when the provider is away. */
export const opensByPassword = Prisma.sql`
  (m.role = 'owner' OR NOT EXISTS (SELECT FROM sso_connections c WHERE c.account_id = m.account_id AND c.enforce))`;

/**
 * Whether a session `s` opens the account of a membership `m`. A login by single sign-on opens the account whose provider
 * vouched for it and no other, because that provider could log anybody in.
 */
export const opensAccount = Prisma.sql`
  CASE WHEN s.sso_account_id IS NULL THEN ${opensByPassword} ELSE s.sso_account_id = m.account_id END`;
