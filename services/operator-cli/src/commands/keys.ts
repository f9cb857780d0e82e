import { findKeyAccount, listKeys, setCostCentre } from '@verdict/db/keys/operator-keys.js';
import type { Command } from 'commander';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { makeSigningKey } from '../make-signing-key.js';
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
    .command('cost-centre <key> [name]')
    .description(
      'where the customer books the checks of a key; stands on the invoice; without a name it is emptied',
    )
    .action(async (key: string, name?: string) => {
      const audit = operatorAudit('key.cost_centre_set', key, { cost_centre: name ?? null });
      if (!(await withDatabase((db) => setCostCentre(db, key, name ?? null, audit)))) {
        throw new Error(`there is no key ${key}`);
      }
      output().object({ key, cost_centre: name ?? null });
    });
  keys
    .command('make-signing-key')
    .description('a new key for tokens: JWT_SIGNING_KEY, and what JWT_PUBLIC_KEYS needs beside the old one')
    .action(() => {
      const { privateJwk, publicJwk } = makeSigningKey();
      output().object({
        JWT_SIGNING_KEY: JSON.stringify(privateJwk),
        JWT_PUBLIC_KEYS: JSON.stringify({ keys: [publicJwk] }),
      });
    });
  keys
    .command('revoke <key>')
    .description('end a key for good; the gateways follow as soon as the control plane has projected it')
    .action(async (key: string) => {
      const { forAccount } = await import('@verdict/db/accounts/account-scope.js');
      await withDatabase(async (db) => {
        const accountId = await findKeyAccount(db, key);
        const audit = operatorAudit('key.revoked', key);
        const revoked = accountId ? await forAccount(db, accountId).keys.revoke(key, audit) : null;
        if (!revoked?.rows.length) throw new Error(`there is no active key ${key}`);
      });
      output().object({ key, status: 'revoked' });
    });
}
