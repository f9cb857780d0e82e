import { forAccount } from '@verdict/db/account-scope.js';
import { findKeyAccount, listKeys } from '@verdict/db/operator-keys.js';
import type { Command } from 'commander';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';

export function addKeys(program: Command, { output }: Context): void {
  const keys = program.command('keys').description('the API keys, never their secrets');
  keys
    .command('list')
    .option('--account <id>', 'only of this account')
    .action(async ({ account }: { account?: string }) => {
      output().rows(await withDatabase((db) => listKeys(db, account)), 'There are no keys.');
    });
  keys
    .command('revoke <key>')
    .description('end a key for good; the gateways follow as soon as the control plane has projected it')
    .action(async (key: string) => {
      await withDatabase(async (db) => {
        const accountId = await findKeyAccount(db, key);
        const audit = operatorAudit('key.revoked', key);
        const revoked = accountId ? await forAccount(db, accountId).keys.revoke(key, audit) : null;
        if (!revoked?.rows.length) throw new Error(`there is no active key ${key}`);
      });
      output().object({ key, status: 'revoked' });
    });
}
