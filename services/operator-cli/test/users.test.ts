import { connectDatabase } from '@verdict/db/database/client.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { createProgram } from '../src/create-program.js';

const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
t.teardown(async () => {
  await db.$disconnect();
  await database.drop();
});
Object.assign(process.env, { DATABASE_URL: database.urlOf('operator') });

async function verdict(...args: string[]): Promise<string> {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const program = await createProgram({ write, fail: () => undefined });
  await program.parseAsync(args, { from: 'user' });
  return output;
}

await db.account.create({ data: { id: 'acc_1', name: 'Acme', plan: 'free' } });
await db.user.create({
  data: { id: 'usr_1', accountId: 'acc_1', email: 'ada@example.com', passwordHash: 'x' },
});

t.test('a user is let into the operator area and out of it, and the audit log says so', async (t) => {
  await verdict('users', 'make-operator', ' Ada@Example.com ');
  t.equal((await db.user.findUniqueOrThrow({ where: { id: 'usr_1' } })).operator, true);
  await verdict('users', 'unmake-operator', 'ada@example.com');
  t.equal((await db.user.findUniqueOrThrow({ where: { id: 'usr_1' } })).operator, false);
  const events = await db.auditEvent.findMany({
    where: { accountId: 'acc_1' },
    orderBy: { createdAt: 'asc' },
  });
  t.match(events, [
    { action: 'user.made_operator', target: 'usr_1', userId: null },
    { action: 'user.unmade_operator', target: 'usr_1', userId: null },
  ]);
});

t.test('who is not registered cannot be let in', async (t) => {
  await t.rejects(verdict('users', 'make-operator', 'nobody@example.com'), /there is no user/);
  await t.rejects(verdict('users', 'make-operator', 'nonsense'), /^nonsense: /);
});

t.test(
  'a lost second factor is taken away by an operator, once, and the audit log says by whom',
  async (t) => {
    await db.secondFactor.create({ data: { userId: 'usr_1', sealed: 'x', confirmedAt: new Date() } });
    await db.recoveryCode.create({ data: { userId: 'usr_1', hash: 'h' } });
    t.match(await verdict('users', 'reset-second-factor', 'ada@example.com'), /reset: true/);
    t.strictSame([await db.secondFactor.count(), await db.recoveryCode.count()], [0, 0]);
    t.match(await verdict('users', 'reset-second-factor', 'ada@example.com'), /reset: false/);
    const events = await db.auditEvent.findMany({ where: { action: 'user.second_factor_reset' } });
    t.match(events, [{ accountId: 'acc_1', target: 'usr_1', userId: null, details: { by: /^operator:/ } }]);
    t.equal(events.length, 1);
    await t.rejects(verdict('users', 'reset-second-factor', 'nobody@example.com'), /there is no user/);
  },
);
