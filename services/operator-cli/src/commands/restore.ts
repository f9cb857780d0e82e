import { grantRights } from '@verdict/db/database/grant-rights.js';
import { restore } from '@verdict/db/database/restore.js';
import type { Command } from 'commander';
import { databaseUrl, roleUrls } from '../config.js';
import type { Context } from '../context.js';

export function addRestore(program: Command, { output }: Context): void {
  program
    .command('restore <folder>')
    .description('restore a backup into an empty database')
    .action(async (folder: string) => {
      const { tables } = await restore(databaseUrl(), folder);
      await grantRights(databaseUrl(), roleUrls());
      output().rows(
        tables.map(({ name, rows }) => ({ name, rows })),
        'The backup is empty.',
      );
    });
}
