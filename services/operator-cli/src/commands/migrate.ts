import { grantRights } from '@verdict/db/database/grant-rights.js';
import { migrate } from '@verdict/db/database/migrate.js';
import type { Command } from 'commander';
import { databaseUrl, roleUrls } from '../config.js';
import type { Context } from '../context.js';

export function addMigrate(program: Command, { output }: Context): void {
  program
    .command('migrate')
    .description('apply pending migrations and the rights of the services')
    .action(async () => {
      const applied = await migrate(databaseUrl());
      await grantRights(databaseUrl(), roleUrls());
      output().rows(
        applied.map((migration) => ({ migration })),
        'The database is up to date.',
      );
    });
}
