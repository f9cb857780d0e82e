import { subjectLines } from '@verdict/db/erasure/subject-lines.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { subjectKeys } from '@verdict/domain/address/subject-keys.js';
import type { Command } from 'commander';
import { emailHashSecret } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';

export function addSubject(program: Command, { output }: Context): void {
  program
    .command('subject <email>')
    .description(
      'print everything that is kept of one address, of all accounts, as JSON lines; verdict erase erases it',
    )
    .action(async (email: string) => {
      const parsed = parseEmail(email);
      if (!parsed.ok) throw new Error(`<email> ${parsed.message}`);
      const keys = subjectKeys(email, emailHashSecret());
      await withDatabase(async (db) => {
        for await (const { type, row } of subjectLines(db, keys, null))
          output().text(`${JSON.stringify({ type, ...row })}\n`);
      });
    });
}
