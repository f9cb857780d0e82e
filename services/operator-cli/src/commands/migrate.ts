import { migrate } from '@verdict/db/migrate.js';
import type { Command } from 'commander';
import { databaseUrl } from '../config.js';
import type { Context } from '../context.js';

export function addMigrate(program: Command, { output }: Context): void {
  program
    .command('migrate')
    .description('apply the migrations that the database lacks')
    .action(async () => {
      const applied = await migrate(databaseUrl());
      output().rows(
        applied.map((migration) => ({ migration })),
        'The database is up to date.',
      );
    });
}
