import { listLegalEntities, setLegalEntity } from '@verdict/db/billing/legal-entities.js';
import type { Command } from 'commander';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';
import { countryOption } from './country-option.js';

interface Wish {
  readonly name?: string;
  readonly address?: string;
  readonly taxId?: string;
  readonly contact?: string;
  readonly payment?: string;
  readonly paymentDays?: string;
  readonly prefix?: string;
  readonly country?: string;
  readonly default?: boolean;
}

export function addEntities(program: Command, { output }: Context): void {
  const entities = program.command('entities').description('set the legal entities that send invoices');
  entities.command('list').action(async () => {
    const rows = await withDatabase(listLegalEntities);
    output().rows(
      rows.map((row) => ({ ...row, address: row.address.replaceAll('\n', ', ') })),
      'There is no legal entity, so no invoices are issued; see verdict entities set --help.',
    );
  });
  entities
    .command('set <id>')
    .description('create or change a legal entity; \\n starts a new line')
    .option('--name <text>')
    .option('--address <text>')
    .option('--tax-id <text>')
    .option('--contact <text>')
    .option('--payment <text>', 'payment instructions at the foot of an invoice')
    .option('--payment-days <days>', 'days until an invoice is due (14)')
    .option('--prefix <text>', 'prefix of invoice numbers')
    .addOption(countryOption())
    .option('--default', 'use it for accounts that name no other')
    .action(async (id: string, wish: Wish) => {
      const days = wish.paymentDays === undefined ? undefined : Number(wish.paymentDays);
      if (days !== undefined && (!Number.isInteger(days) || days < 0)) {
        throw new Error('--payment-days wants a whole number');
      }
      if (!/^[a-z][a-z0-9-]{0,31}$/.test(id))
        throw new Error('an id is made of small letters, digits and hyphens');
      const entity = await withDatabase(async (db) => {
        const changes = {
          ...(wish.name !== undefined && { name: wish.name }),
          ...(wish.address !== undefined && { address: lines(wish.address) }),
          ...(wish.taxId !== undefined && { taxId: wish.taxId }),
          ...(wish.contact !== undefined && { contact: wish.contact }),
          ...(wish.payment !== undefined && { payment: lines(wish.payment) }),
          ...(wish.prefix !== undefined && { numberPrefix: wish.prefix }),
          ...(wish.country !== undefined && { country: wish.country }),
          ...(days !== undefined && { paymentDays: days }),
          ...(wish.default && { isDefault: true }),
        };
        await setLegalEntity(db, id, changes, operatorAudit('entity.set', id));
        return (await listLegalEntities(db)).find((one) => one.id === id);
      });
      if (entity) output().object({ ...entity });
    });
}

const lines = (text: string): string => text.replaceAll('\\n', '\n');
