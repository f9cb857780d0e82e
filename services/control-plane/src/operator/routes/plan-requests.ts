import { OPERATOR_ROUTES } from '@verdict/contracts/routes/operator-routes.js';
import {
  findPlanRequest,
  grantPlanRequest,
  listOpenPlanRequests,
  type PlanRequestRow,
  refusePlanRequest,
} from '@verdict/db/billing/plan-requests.js';
import { maskedName } from '@verdict/domain/masked-name.js';
import { monthOf } from '@verdict/domain/month.js';
import { plansNoSmallerThan } from '@verdict/domain/plans.js';
import { pricesIn } from '@verdict/domain/pricing/prices-in.js';
import { attach } from '@verdict/service-kit/attach.js';
import { conflict, notFound } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { customersAudit, noteAct, operatorName } from '../operator-acts.js';

/** Plans that customers asked for (PLAN_CHANGES=operator). */
export function planRequestRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db, plans, projectOrPending } = deps;

  async function openRequest(id: string): Promise<PlanRequestRow> {
    const request = await findPlanRequest(db, id);
    if (!request) throw notFound('There is no request with this id.');
    if (request.status !== 'open') throw decided();
    return request;
  }

  const showNow = async (id: string) => {
    const request = await findPlanRequest(db, id);
    if (!request) throw notFound('There is no request with this id.');
    return { success: true as const, request: show(request) };
  };

  attach(app, OPERATOR_ROUTES.planRequests, async () => ({
    success: true,
    requests: (await listOpenPlanRequests(db)).map(show),
  }));

  attach(app, OPERATOR_ROUTES.grantPlanRequest, async (request) => {
    const { id, account_id: target, plan } = await openRequest(request.params.id);
    const wish = {
      downFrom: plansNoSmallerThan(pricesIn(plans, monthOf(new Date())), plan),
      madeBy: operatorName(request),
    };
    const audit = customersAudit(deps, request, {
      action: 'subscription.granted',
      target,
      details: { plan },
    });
    if (!(await grantPlanRequest(db, id, wish, audit))) throw decided();
    await noteAct(deps, request, 'operator.plan_granted', target, { request: id, plan });
    await projectOrPending(target);
    return showNow(id);
  });

  attach(app, OPERATOR_ROUTES.refusePlanRequest, async (request) => {
    const { id, account_id: target, plan } = await openRequest(request.params.id);
    const { reason } = request.body;
    const details = { plan, reason };
    const audit = customersAudit(deps, request, { action: 'subscription.refused', target, details });
    const refused = await refusePlanRequest(db, id, { decidedBy: operatorName(request), reason }, audit);
    if (!refused) throw decided();
    await noteAct(deps, request, 'operator.plan_refused', target, { request: id, ...details });
    return showNow(id);
  });
}

const decided = () => conflict('request_decided', 'This request was already answered.');

const show = ({ requested_by: _by, decided_by: _decidedBy, account_name, ...request }: PlanRequestRow) => ({
  ...request,
  account_name: maskedName(account_name),
});
