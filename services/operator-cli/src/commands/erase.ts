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
    .description('forget one address wherever it is kept; counts stay, and a receipt is written')
    .requiredOption('--email <address>', 'whom to forget')
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
      // What was queued once still stands in that file: the address is not gone yet.
      if (!receipt.rewritten) fail();
    });
}
