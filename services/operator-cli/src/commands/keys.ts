import { appendOperatorEvent } from '@verdict/db/accounts/operator-events.js';
import { findKeyAccount, listKeys, setCostCentre } from '@verdict/db/keys/operator-keys.js';
import type { Command } from 'commander';
import { secretsKeys } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { makeSigningKey } from '../make-signing-key.js';
import { operatorAudit } from '../operator-audit.js';

export function addKeys(program: Command, { output, fail }: Context): void {
  const keys = program.command('keys').description('list, label and revoke API keys; create signing keys');
  keys
    .command('list')
    .option('--account <id>', 'only this account')
    .action(async ({ account }: { account?: string }) => {
      output().rows(await withDatabase((db) => listKeys(db, account)), 'There are no keys.');
    });
  keys
    .command('cost-centre <key> [name]')
    .description('set the cost centre of a key, printed on the invoice; omit the name to clear it')
    .action(async (key: string, name?: string) => {
      const audit = operatorAudit('key.cost_centre_set', key, { cost_centre: name ?? null });
      if (!(await withDatabase((db) => setCostCentre(db, key, name ?? null, audit)))) {
        throw new Error(`there is no key ${key}`);
      }
      output().object({ key, cost_centre: name ?? null });
    });
  keys
    .command('make-signing-key')
    .description('create a signing key: JWT_SIGNING_KEY, and the entry to add to JWT_PUBLIC_KEYS')
    .action(() => {
      const { privateJwk, publicJwk } = makeSigningKey();
      output().object({
        JWT_SIGNING_KEY: JSON.stringify(privateJwk),
        JWT_PUBLIC_KEYS: JSON.stringify({ keys: [publicJwk] }),
      });
    });
  keys
    .command('reseal')
    .description(
      'seal webhook and two-factor secrets again with the first key of SECRETS_KEY, so that others can go',
    )
    .action(async () => {
      const { randomFillSync } = await import('node:crypto');
      const { createSealer } = await import('@verdict/domain/sealed-text.js');
      const { resealSecrets } = await import('@verdict/db/people/reseal-secrets.js');
      const sealer = createSealer(secretsKeys(), randomFillSync);
      const found = await withDatabase(async (db) => {
        const resealed = await resealSecrets(db, sealer);
        await appendOperatorEvent(db, operatorAudit('secrets.resealed', '', { ...resealed }));
        return resealed;
      });
      output().object({ ...found });
      if (found.unreadable > 0) fail();
    });
  keys
    .command('revoke <key>')
    .description('revoke a key for good; gateways refuse it within seconds')
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
