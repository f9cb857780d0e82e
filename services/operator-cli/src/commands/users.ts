import type { Database } from '@verdict/db/database/client.js';
import { hashPassword } from '@verdict/db/people/password-hash.js';
import { resetPassword } from '@verdict/db/people/reset-password.js';
import { removeSecondFactor } from '@verdict/db/people/second-factors.js';
import { findLogin, setOperator } from '@verdict/db/people/users.js';
import { readablePassword } from '@verdict/domain/readable-password.js';
import { OPERATOR_ROLES, type OperatorRole } from '@verdict/domain/role.js';
import { type Command, Option } from 'commander';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';
import { requireEmail } from '../require-email.js';

export function addUsers(program: Command, { output }: Context): void {
  const users = program.command('users').description('manage the people who log in');
  users
    .command('reset-password <email>')
    .description('set a new password, print it once and end every session')
    .action(async (email: string) => {
      await withDatabase(async (db) => {
        const user = await requireUser(db, email);
        const password = readablePassword();
        const audit = operatorAudit('user.password_reset', user.userId);
        await resetPassword(db, user, await hashPassword(password), audit);
        output().object({ user: user.userId, email: requireEmail(email), password });
      });
    });

  users
    .command('reset-second-factor <email>')
    .description('turn two-factor authentication off for a user who lost phone and recovery codes')
    .action(async (email: string) => {
      await withDatabase(async (db) => {
        const user = await requireUser(db, email);
        const audit = operatorAudit('user.second_factor_reset', user.userId);
        const reset = await removeSecondFactor(db, user, audit);
        output().object({ user: user.userId, email: requireEmail(email), reset });
      });
    });

  const letIn = async (email: string, role: OperatorRole | null) => {
    const canonical = requireEmail(email);
    const action = role === null ? 'user.unmade_operator' : 'user.made_operator';
    const audit = operatorAudit(action, '', role === null ? {} : { role });
    const found = await withDatabase((db) => setOperator(db, canonical, role, audit));
    if (!found) throw new Error(`there is no user ${email}`);
    output().object({ email: canonical, operator: role !== null, ...(role !== null && { role }) });
  };
  users
    .command('make-operator <email>')
    .description('grant access to the operator area, or change the role there')
    .addOption(
      new Option('--role <role>', 'support reads, finance has months and plans too')
        .choices(OPERATOR_ROLES)
        .default('admin'),
    )
    .action((email: string, { role }: { role: OperatorRole }) => letIn(email, role));
  users
    .command('unmake-operator <email>')
    .description('remove operator access, effective immediately')
    .action((email: string) => letIn(email, null));
}

async function requireUser(db: Database, email: string) {
  const user = await findLogin(db, requireEmail(email));
  if (!user) throw new Error(`there is no user ${email}`);
  return user;
}
