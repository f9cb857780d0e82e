import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../dependencies.js';

type Parts = Pick<Dependencies, 'config' | 'scoring'>;

/** The mailbox that an address counts as: one account per mailbox, unless the operator has turned that off. */
export const signUpMailbox = ({ config }: Pick<Parts, 'config'>, address: EmailAddress): string =>
  config.SIGNUP_CHECKS === 'on' ? mailboxOf(address) : address.canonical;

/** The same for an address that is stored. */
export function mailboxOfUser(parts: Pick<Parts, 'config'>, email: string): string {
  const parsed = parseEmail(email);
  return parsed.ok ? signUpMailbox(parts, parsed.address) : email;
}

/** Refuses a disposable address at sign-up. Without an answer of scoring the address is taken, because nobody should be turned away for our outage. */
export async function refuseDisposable(
  { config, scoring }: Parts,
  address: EmailAddress,
  by: { readonly ip: string; readonly signal: AbortSignal },
): Promise<void> {
  if (config.SIGNUP_CHECKS === 'off') return;
  const asking = { accountId: by.ip, signal: by.signal };
  const found = await scoring.explain({ email: address.text }, asking).catch(() => null);
  if (found?.signals.disposable_email)
    throw invalidField('email', 'is a disposable address. Register with one that you will keep.');
}
