import { redactAudit } from '@verdict/db/accounts/audit-privacy.js';
import type { Audit } from '@verdict/db/accounts/audited.js';
import { deleteAccount, secretHashes } from '@verdict/db/accounts/delete-account.js';
import { eraseSubjects } from '@verdict/db/erasure/erase-subject.js';
import { type ErasureLine, keepErasure } from '@verdict/db/erasure/erasure-journal.js';
import { keepSubjectErasure } from '@verdict/db/erasure/subject-erasures.js';
import { emailSpellings } from '@verdict/domain/address/email-spellings.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { forgetAccount } from '@verdict/redis-store/forget-account.js';
import type { Metering } from './metering.js';
import { redactAddress } from './redact-address.js';

/** Text that may be an address, in whatever sentence it occurs. */
const ADDRESS = /[^\s"'<>(),;:]+@[^\s"'<>(),;:]+/gu;

/**
 * Erases again what a backup brought back. The journal holds only hashes, so every address in a text is hashed and
 * looked up there.
 */
export async function reapplyErasures(
  { db, redis, shards }: Pick<Metering, 'db' | 'redis' | 'shards'>,
  journal: readonly ErasureLine[],
  hashSecret: string,
  auditOfDeletion: (accountId: string) => Audit,
) {
  const erased = journal.filter((line) => line.kind === 'address');
  const hashes = new Set(erased.flatMap((line) => line.hashes));
  const isErased = (text: string) =>
    emailSpellings(text).some((spelling) => hashes.has(hashEmail(hashSecret, spelling)));
  const checks = hashes.size === 0 ? 0 : await eraseSubjects(db, [...hashes]);
  const auditRecords = await redactAudit(db, (details) => {
    const found = (JSON.stringify(details).match(ADDRESS) ?? []).filter(isErased);
    return found.length === 0 ? null : redactAddress(details, found.flatMap(emailSpellings));
  });
  for (const { id, hashes: each, at } of erased) await keepErasure(db, id, each, at);
  for (const line of journal)
    if (line.kind === 'address_of_account') await keepSubjectErasure(db, { ...line, requested_at: line.at });
  let accounts = 0;
  for (const { id, kind } of journal) {
    if (kind !== 'account') continue;
    const secrets = await secretHashes(db, id);
    if (!(await deleteAccount(db, id, auditOfDeletion(id)))) continue;
    await forgetAccount({ redis, shards }, id, secrets);
    accounts++;
  }
  return { addresses: erased.length, checks, auditRecords, accounts };
}
