import { listOperatorEvents } from '@verdict/db/accounts/operator-events.js';
import type { Command } from 'commander';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { requireAccount } from '../require-account.js';

interface Wish {
  readonly account?: string;
  readonly limit: string;
}

export function addAudit(program: Command, { output }: Context): void {
  program
    .command('audit')
    .description('list what operators did, newest first; with --account everything done to one account')
    .option('--account <account>', 'id or email of a user')
    .option('--limit <count>', 'maximum number of entries', '50')
    .action(async ({ account, limit }: Wish) => {
      const countMax = Number(limit);
      if (!Number.isInteger(countMax) || countMax < 1)
        throw new Error('--limit wants a whole number above 0');
      const events = await withDatabase(async (db) => {
        // One that was deleted has no row any more, and its log is still here.
        const accountId = account?.startsWith('acc_')
          ? account
          : account && (await requireAccount(db, account)).id;
        return listOperatorEvents(db, { accountId, countMax });
      });
      output().rows(
        events.map(({ created_at, account_id, action, target, details: { by, ...details } }) => ({
          at: created_at,
          by: typeof by === 'string' ? by : 'customer',
          action,
          account: account_id,
          target,
          details: Object.keys(details).length > 0 ? JSON.stringify(details) : '',
        })),
        'Nothing was done by hand.',
      );
    });
}
