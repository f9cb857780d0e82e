import { DoneSchema, IdParamsSchema } from '@verdict/contracts/dashboard/common.js';
import { JobReplySchema, JobsQuerySchema, JobsReplySchema } from '@verdict/contracts/jobs-api.js';
import type { JobAct } from '@verdict/db/bulk/bulk-jobs.js';
import type { Dependencies } from '../../dependencies.js';
import { type AuditAction, auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { pageOf } from '../../http/page-of.js';
import { jobState } from '../job-errors.js';
import { readAllowance } from '../read-allowance.js';
import { showJob } from '../show-job.js';

interface Act {
  readonly act: JobAct;
  readonly summary: string;
  readonly description: string;
  readonly action: AuditAction;
}

const ACTS: readonly Act[] = [
  {
    act: 'start',
    summary: 'Start a ready job or resume a paused one',
    description:
      'A job whose file is still being parsed starts afterwards. One uploaded with `start=auto` starts without this.',
    action: 'job.started',
  },
  {
    act: 'pause',
    summary: 'Pause a job; the chunk in hand is finished',
    description: '`start` resumes it where it stopped.',
    action: 'job.paused',
  },
  {
    act: 'cancel',
    summary: 'End a job for good; what is done stays',
    description: 'Its results so far can be read as long as those of other jobs.',
    action: 'job.canceled',
  },
];

export function jobRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { createId, cursors } = deps;
  const config = { keyOrToken: true };

  app.get(
    '/jobs/',
    {
      config,
      schema: {
        tags: ['jobs'],
        summary: 'Bulk jobs, newest first',
        description: 'A key sees the jobs charged to it, a token all jobs of the account.',
        querystring: JobsQuerySchema,
        response: { 200: JobsReplySchema, ...errorReplies(400) },
      },
    },
    async (request) => {
      const { account, jobs } = request.keyCaller;
      const { rows, ...paging } = await pageOf(
        { cursors, listing: 'jobs', accountId: account.id, query: request.query },
        (before, countMax) => jobs.page(before, countMax),
      );
      const allowance = await readAllowance(deps, account);
      return { success: true as const, jobs: rows.map((row) => showJob(row, allowance)), ...paging };
    },
  );

  app.get(
    '/jobs/:id/',
    {
      config,
      schema: {
        tags: ['jobs'],
        summary: 'One job: how far it is, what it found, what it still costs',
        description: 'Ask every few seconds while `status` is `parsing` or `running`.',
        params: IdParamsSchema,
        response: { 200: JobReplySchema, ...errorReplies(404) },
      },
    },
    async (request) => {
      const { account, jobs } = request.keyCaller;
      const row = await jobs.find(ownId('job', request.params.id));
      if (!row) throw nothingHere();
      return { success: true as const, job: showJob(row, await readAllowance(deps, account)) };
    },
  );

  for (const { act, summary, description, action } of ACTS) {
    app.post(
      `/jobs/:id/${act}/`,
      {
        config,
        schema: {
          tags: ['jobs'],
          summary,
          description,
          params: IdParamsSchema,
          response: { 200: JobReplySchema, ...errorReplies(404, 409) },
        },
      },
      async (request) => {
        const { account, jobs } = request.keyCaller;
        const id = ownId('job', request.params.id);
        const audit = auditOf(createId, request, { action, target: id });
        const row = await jobs.act(id, act, audit);
        if (!row) {
          const standing = await jobs.find(id);
          throw standing ? jobState(standing.status) : nothingHere();
        }
        return { success: true as const, job: showJob(row, await readAllowance(deps, account)) };
      },
    );
  }

  app.delete(
    '/jobs/:id/',
    {
      config,
      schema: {
        tags: ['jobs'],
        summary: 'Delete a job and its rows immediately; its checks stay counted',
        description: 'Works in every state.',
        params: IdParamsSchema,
        response: { 200: DoneSchema, ...errorReplies(404) },
      },
    },
    async (request) => {
      const { jobs } = request.keyCaller;
      const id = ownId('job', request.params.id);
      const audit = auditOf(createId, request, { action: 'job.deleted', target: id });
      if (!(await jobs.erase(id, audit))) throw nothingHere();
      return { success: true as const };
    },
  );
}
