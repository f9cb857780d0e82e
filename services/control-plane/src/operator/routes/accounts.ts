import { MailedReplySchema } from '@verdict/contracts/dashboard/auth-api.js';
import { ChangePlanBodySchema } from '@verdict/contracts/dashboard/billing-api.js';
import { IdParamsSchema } from '@verdict/contracts/dashboard/common.js';
import {
  OperatorAccountDetailReplySchema,
  OperatorAccountReplySchema,
  OperatorAccountsQuerySchema,
  OperatorAccountsReplySchema,
  SuspendBodySchema,
} from '@verdict/contracts/dashboard/operator-api.js';
import { readOperatorAccount } from '@verdict/db/accounts/operator-account.js';
import { resumeAccount, suspendAccount } from '@verdict/db/accounts/operator-accounts.js';
import { listOperatorAccounts } from '@verdict/db/accounts/operator-reading.js';
import { changePlan } from '@verdict/db/billing/plan-changes.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { monthOf } from '@verdict/domain/month.js';
import { plansNoSmallerThan } from '@verdict/domain/plans.js';
import { pricesIn } from '@verdict/domain/pricing/prices-in.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { pageOf } from '../../http/page-of.js';
import { createAccountPages } from '../account-pages.js';
import { customersAudit, noteAct, operatorName } from '../operator-acts.js';

export function operatorAccountRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, cursors, plans, projectOrPending } = deps;
  const { show, find, detail } = createAccountPages(deps);

  app.get(
    '/operator/accounts/',
    {
      schema: {
        tags: ['operator'],
        summary: 'Accounts with plan, use and state, newest first',
        description: 'Pages with `limit` and `cursor`; `q` finds accounts by id, name or login address.',
        querystring: OperatorAccountsQuerySchema,
        response: { 200: OperatorAccountsReplySchema, ...errorReplies(400, 401, 403) },
      },
    },
    async (request) => {
      const { account } = request.caller;
      const search = searchOf(request.query.q);
      const { rows, ...paging } = await pageOf(
        { cursors, listing: 'operator/accounts', accountId: account.id, query: request.query },
        (before, countMax) =>
          listOperatorAccounts(db, { ...search, month: monthOf(new Date()), before, countMax }),
      );
      return { success: true as const, accounts: rows.map(show), ...paging };
    },
  );

  app.get(
    '/operator/accounts/:id/',
    {
      schema: {
        tags: ['operator'],
        summary: 'One account',
        description: 'With its plan, use and keys.',
        params: IdParamsSchema,
        response: { 200: OperatorAccountDetailReplySchema, ...errorReplies(401, 403, 404) },
      },
    },
    async (request) => detail(request.params.id),
  );

  app.post(
    '/operator/accounts/:id/suspend/',
    {
      schema: {
        tags: ['operator'],
        summary: 'Refuse every key of an account until it is resumed; its people can still log in',
        description: 'Takes effect on every gateway before the answer. The reason is kept.',
        params: IdParamsSchema,
        body: SuspendBodySchema,
        response: {
          200: OperatorAccountDetailReplySchema,
          ...errorReplies(400, 401, 403, 404, 'change_pending'),
        },
      },
    },
    async (request) => {
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
    },
  );

  app.post(
    '/operator/accounts/:id/resume/',
    {
      schema: {
        tags: ['operator'],
        summary: 'End a suspension: each key gets its own status back',
        description: 'Takes effect on every gateway before the answer.',
        params: IdParamsSchema,
        response: { 200: OperatorAccountDetailReplySchema, ...errorReplies(401, 403, 404, 'change_pending') },
      },
    },
    async (request) => {
      const { id } = await find(request.params.id);
      await resumeAccount(db, id, customersAudit(deps, request, { action: 'account.resumed', target: id }));
      await noteAct(deps, request, 'operator.account_resumed', id);
      await projectOrPending(id);
      return detail(id);
    },
  );

  app.post(
    '/operator/accounts/:id/password-reset/',
    {
      schema: {
        tags: ['operator'],
        summary: 'Send a reset link to the people of an account; their passwords work until they use it',
        description: 'Needs a server that sends mail.',
        params: IdParamsSchema,
        response: { 202: MailedReplySchema, ...errorReplies(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { id } = await find(request.params.id);
      const { users } = (await readOperatorAccount(db, id)) ?? { users: [] };
      for (const { email } of users) await deps.mails.sendLink(request, 'password_reset', { email });
      await noteAct(deps, request, 'operator.reset_sent', id);
      return reply.code(202).send({ success: true, mail: 'sent' });
    },
  );

  app.put(
    '/operator/accounts/:id/plan/',
    {
      schema: {
        tags: ['operator'],
        summary: 'Change an account’s plan; upgrades start now, downgrades next month',
        description: 'Takes effect on every gateway before the answer.',
        params: IdParamsSchema,
        body: ChangePlanBodySchema,
        response: { 200: OperatorAccountReplySchema, ...errorReplies(400, 401, 403, 404, 'change_pending') },
      },
    },
    async (request) => {
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
      return { success: true as const, account: await find(id) };
    },
  );
}

/** A full login address finds its account; the result is masked all the same. */
function searchOf(q: string | undefined): { beginsWith?: string; login?: string } {
  if (q === undefined) return {};
  if (!q.includes('@')) return { beginsWith: q.trim() };
  const parsed = parseEmail(q);
  if (!parsed.ok) throw invalidField('q', parsed.message);
  return { login: parsed.address.canonical };
}
