import { OPERATOR_ROUTES } from '@verdict/contracts/routes/operator-routes.js';
import { readOperatorAccount } from '@verdict/db/accounts/operator-account.js';
import { resumeAccount, suspendAccount } from '@verdict/db/accounts/operator-accounts.js';
import { listOperatorAccounts } from '@verdict/db/accounts/operator-reading.js';
import { changePlan } from '@verdict/db/billing/plan-changes.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { monthOf } from '@verdict/domain/month.js';
import { plansNoSmallerThan } from '@verdict/domain/plans.js';
import { pricesIn } from '@verdict/domain/pricing/prices-in.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { pageOf } from '../../http/page-of.js';
import { createAccountPages } from '../account-pages.js';
import { customersAudit, noteAct, operatorName } from '../operator-acts.js';

export function operatorAccountRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, cursors, plans, projectOrPending } = deps;
  const { show, find, detail } = createAccountPages(deps);

  attach(app, OPERATOR_ROUTES.accounts, async (request) => {
    const { account } = request.caller;
    const search = searchOf(request.query.q);
    const { rows, ...paging } = await pageOf(
      { cursors, listing: 'operator/accounts', accountId: account.id, query: request.query },
      (before, countMax) =>
        listOperatorAccounts(db, { ...search, month: monthOf(new Date()), before, countMax }),
    );
    return { success: true, accounts: rows.map(show), ...paging };
  });

  attach(app, OPERATOR_ROUTES.account, async (request) => detail(request.params.id));

  attach(app, OPERATOR_ROUTES.suspend, async (request) => {
    const { id } = await find(request.params.id);
    const { reason } = request.body;
    const audit = customersAudit(deps, request, {
      action: 'account.suspended',
      target: id,
      details: { reason },
    });
    await suspendAccount(db, id, reason, audit);
    await noteAct(deps, request, 'operator.account_suspended', id, { reason });
    await projectOrPending(id);
    return detail(id);
  });

  attach(app, OPERATOR_ROUTES.resume, async (request) => {
    const { id } = await find(request.params.id);
    await resumeAccount(db, id, customersAudit(deps, request, { action: 'account.resumed', target: id }));
    await noteAct(deps, request, 'operator.account_resumed', id);
    await projectOrPending(id);
    return detail(id);
  });

  attach(app, OPERATOR_ROUTES.resetPassword, async (request, reply) => {
    const { id } = await find(request.params.id);
    const { users } = (await readOperatorAccount(db, id)) ?? { users: [] };
    for (const { email } of users) await deps.mails.sendLink(request, 'password_reset', { email });
    await noteAct(deps, request, 'operator.reset_sent', id);
    return reply.code(202).send({ success: true, mail: 'sent' });
  });

  attach(app, OPERATOR_ROUTES.setPlan, async (request) => {
    const { id } = await find(request.params.id);
    const { plan } = request.body;
    if (!plans.has(plan)) throw invalidField('plan', `is none of ${[...plans.keys()].join(', ')}`);
    const wish = {
      plan,
      downFrom: plansNoSmallerThan(pricesIn(plans, monthOf(new Date())), plan),
      madeBy: operatorName(request),
    };
    const audit = customersAudit(deps, request, {
      action: 'subscription.changed',
      target: id,
      details: { plan },
    });
    await changePlan(db, id, wish, audit);
    await noteAct(deps, request, 'operator.plan_set', id, { plan });
    await projectOrPending(id);
    return { success: true, account: await find(id) };
  });
}

/** A full login address finds its account; the result is masked all the same. */
function searchOf(q: string | undefined): { beginsWith?: string; login?: string } {
  if (q === undefined) return {};
  if (!q.includes('@')) return { beginsWith: q.trim() };
  const parsed = parseEmail(q);
  if (!parsed.ok) throw invalidField('q', parsed.message);
  return { login: parsed.address.canonical };
}
