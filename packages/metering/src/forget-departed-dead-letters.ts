import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import { departedAccounts } from '@verdict/db/accounts/delete-account.js';
import { emailSpellings } from '@verdict/domain/address/email-spellings.js';
import type { Metering } from './metering.js';
import { ERASED } from './redact-address.js';
import { redactDeadLetters } from './redact-dead-letters.js';
import { redactJob } from './redact-job.js';

/** Dead letters of accounts that were deleted keep what is billed and lose whom it was about. Returns how many changed. */
export async function forgetDepartedDeadLetters(metering: Metering): Promise<number> {
  const departed = new Set(await departedAccounts(metering.db));
  if (departed.size === 0) return 0;
  return redactDeadLetters(metering, (payload) => {
    const spellings = addressesOf(payload, departed).flatMap(emailSpellings);
    return spellings.length === 0 ? null : redactJob(payload, spellings);
  });
}

/** A letter may hold anything; what has no groups of ours names no account that could have left. */
function addressesOf(payload: unknown, accounts: ReadonlySet<string>): string[] {
  const { groups } = (payload ?? {}) as Partial<CheckLogJob>;
  if (!Array.isArray(groups)) return [];
  const emails = groups
    .filter(({ account_id }) => accounts.has(account_id))
    .flatMap(({ checks }) => checks.map(({ email }) => email));
  return emails.filter((email) => email !== ERASED);
}
