import { createAuditEvents } from '@verdict/db/accounts/audit-events.js';
import { readOperatorAccount } from '@verdict/db/accounts/operator-account.js';
import { listOperatorAccounts, type OperatorAccountRow } from '@verdict/db/accounts/operator-reading.js';
import { maskedName } from '@verdict/domain/masked-name.js';
import { monthOf } from '@verdict/domain/month.js';
import { stopsAt } from '@verdict/domain/plans.js';
import { notFound } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../dependencies.js';
import { limitsOf } from '../projection/project-account.js';

const EVENTS_SHOWN = 50;

/** Shows accounts to operators, with names and addresses masked. */
export function createAccountPages({ db, plans, mails }: Pick<Dependencies, 'db' | 'plans' | 'mails'>) {
  const show = ({ name, checks_cap, ...row }: OperatorAccountRow) => {
    const checks_limit = stopsAt(limitsOf(plans, row.plan), checks_cap);
    const usedUp = row.checks_used >= checks_limit;
    const state = usedUp
      ? ('used_up' as const)
      : row.checks_used > 0
        ? ('active' as const)
        : ('quiet' as const);
    return { ...row, name: maskedName(name), state, checks_limit };
  };

  async function find(id: string) {
    const month = monthOf(new Date());
    const rows = await listOperatorAccounts(db, { beginsWith: id, month, before: null, countMax: 1 });
    const account = rows.find((row) => row.id === id);
    if (!account) throw notFound('There is no account with this id.');
    return show(account);
  }

  async function detail(id: string) {
    const account = await find(id);
    const [row, events] = await Promise.all([
      readOperatorAccount(db, id),
      createAuditEvents(db, id).page(undefined, null, EVENTS_SHOWN),
    ]);
    if (!row) throw notFound('There is no account with this id.');
    return {
      success: true as const,
      account,
      ...row,
      users: row.users.map((user) => ({ ...user, email: maskedName(user.email) })),
      keys: [...row.keys],
      events: events.map(({ id: event, action, user_id, details, created_at }) => ({
        id: event,
        action,
        by: user_id
          ? ('customer' as const)
          : details.by === 'operator'
            ? ('operator' as const)
            : ('system' as const),
        created_at,
      })),
      plans: [...plans.keys()],
      mail: mails.on,
    };
  }

  return { show, find, detail };
}
