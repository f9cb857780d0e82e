import { JOB_ROUTES } from '@verdict/contracts/routes/job-routes.js';
import type { JobAct } from '@verdict/db/bulk/bulk-jobs.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { Dependencies } from '../../dependencies.js';
import { type AuditAction, auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { pageOf } from '../../http/page-of.js';
import { jobState } from '../job-errors.js';
import { readAllowance } from '../read-allowance.js';
import { showJob } from '../show-job.js';

const ACTS: Readonly<Record<JobAct, AuditAction>> = {
  start: 'job.started',
  pause: 'job.paused',
  cancel: 'job.canceled',
};

export function jobRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { createId, cursors } = deps;

  attach(app, JOB_ROUTES.list, async (request) => {
    const { account, jobs } = request.keyCaller;
    const allowance = await readAllowance(deps, account);
    const { rows, ...paging } = await pageOf(
      { cursors, listing: 'jobs', accountId: account.id, query: request.query },
      async (before, countMax) => (await jobs.page(before, countMax)).map((row) => showJob(row, allowance)),
    );
    return { success: true, jobs: rows, ...paging };
  });

  attach(app, JOB_ROUTES.find, async (request) => {
    const { account, jobs } = request.keyCaller;
    const row = await jobs.find(ownId('job', request.params.id));
    if (!row) throw nothingHere();
    return { success: true, job: showJob(row, await readAllowance(deps, account)) };
  });

  for (const act of ['start', 'pause', 'cancel'] as const) {
    attach(app, JOB_ROUTES[act], async (request) => {
      const { account, jobs } = request.keyCaller;
      const id = ownId('job', request.params.id);
      const audit = auditOf(createId, request, { action: ACTS[act], target: id });
      const row = await jobs.act(id, act, audit);
      if (!row) {
        const standing = await jobs.find(id);
        throw standing ? jobState(standing.status) : nothingHere();
      }
      return { success: true, job: showJob(row, await readAllowance(deps, account)) };
    });
  }

  attach(app, JOB_ROUTES.delete, async (request) => {
    const { jobs } = request.keyCaller;
    const id = ownId('job', request.params.id);
    const audit = auditOf(createId, request, { action: 'job.deleted', target: id });
    if (!(await jobs.erase(id, audit))) throw nothingHere();
    return { success: true };
  });
}
