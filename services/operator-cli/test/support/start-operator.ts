import { connectDatabase } from '@verdict/db/database/client.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import type { Test } from 'tap';
import { createProgram } from '../../src/create-program.js';

/** A database of this test file's own, and the commands of an operator, run in this process. They return what they print. */
export async function startOperator(t: Test) {
  const database = await createDatabase();
  const db = connectDatabase({ url: database.url, name: 'test' });
  t.teardown(async () => {
    await db.$disconnect();
    await database.drop();
  });
  Object.assign(process.env, { DATABASE_URL: database.urlOf('operator') });
  return {
    db,
    async verdict(...args: string[]): Promise<string> {
      let output = '';
      const write = (text: string) => {
        output += text;
      };
      const program = await createProgram({ write, fail: () => undefined });
      await program.parseAsync(args, { from: 'user' });
      return output;
    },
  };
}
