import { appendOperatorEvent } from '@verdict/db/accounts/operator-events.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { eraseAddress } from '@verdict/metering/erase-address.js';
import { rewriteAppendOnlyFile } from '@verdict/redis-store/rewrite-append-only-file.js';
import type { Command } from 'commander';
import { emailHashSecret } from '../config.js';
import { withMetering } from '../connect.js';
import type { Context } from '../context.js';
import { createId, operatorAudit } from '../operator-audit.js';

const DRAIN_MS = 60_000;

export function addErase(program: Command, { output, fail }: Context): void {
  program
    .command('erase')
    .description('erase one address everywhere and write a receipt; counts stay')
    .requiredOption('--email <address>', 'address to erase')
    .action(async ({ email }: { email: string }) => {
      // A receipt for a slip of the pen would say that a person was forgotten who was not.
      const parsed = parseEmail(email);
      if (!parsed.ok) throw new Error(`--email ${parsed.message}`);
      const receipt = await withMetering(async (metering) => {
        const made = await eraseAddress(metering, {
          id: createId('era'),
          email,
          hashSecret: emailHashSecret(),
          drainMs: DRAIN_MS,
        });
        await appendOperatorEvent(metering.db, operatorAudit('address.erased', made.id));
        return { ...made, rewritten: await rewriteAppendOnlyFile(metering.redis) };
      });
      output().object({
        receipt: receipt.id,
        email_hash: receipt.emailHash,
        checks: receipt.checks,
        dead_letters: receipt.deadLetters,
        answers: receipt.answers,
        audit_records: receipt.auditRecords,
        bulk_rows: receipt.bulkRows,
        append_only_file_rewritten: receipt.rewritten,
      });
      // The file still contains queued jobs, so the address is not erased yet.
      if (!receipt.rewritten) fail();
    });
}
