import { setOperator } from '@verdict/db/users.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import type { Command } from 'commander';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';

export function addUsers(program: Command, { output }: Context): void {
  const users = program.command('users').description('who may log in, and who runs the service');

  const change = (operator: boolean) => async (email: string) => {
    const parsed = parseEmail(email);
    if (!parsed.ok) throw new Error(`${email} is not an address: ${parsed.message}`);
    const { canonical } = parsed.address;
    const action = operator ? 'user.made_operator' : 'user.unmade_operator';
    const found = await withDatabase((db) => setOperator(db, canonical, operator, operatorAudit(action, '')));
    if (!found) throw new Error(`nobody is registered as ${canonical}`);
    output().object({ email: canonical, operator });
  };

  users
    .command('make-operator <email>')
    .description('let a user into the operator area of the dashboard')
    .action(change(true));
  users.command('unmake-operator <email>').description('and out of it again, at once').action(change(false));
}
