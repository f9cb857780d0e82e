import { backUp } from '@verdict/db/database/backup.js';
import { noteBackup } from '@verdict/db/database/observations.js';
import type { Command } from 'commander';
import { databaseUrl } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';

export function addBackup(program: Command, { output }: Context): void {
  program
    .command('backup <folder>')
    .description('write a consistent backup of Postgres to a new folder')
    .action(async (folder: string) => {
      const { tables } = await backUp(databaseUrl(), folder);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      await withDatabase((db) => noteBackup(db, rows));
      output().rows(
        tables.map(({ name, rows, sha256 = '' }) => ({ name, rows, sha256 })),
        'The database is empty.',
      );
    });
}
