import { queryOptions } from '@tanstack/react-query';
import type { BulkJob, JobResult, JobStatus, ResultKind } from '@verdict/contracts/jobs-api.js';
import type { Decision } from '@verdict/domain/decision.js';
import { callWith } from './call.ts';
import { getQuery } from './get-query.ts';
import { pagedQuery } from './paged-query.ts';
import { upload } from './upload.ts';

export type { BulkJob, JobResult, JobStatus, ResultKind };

export const JOBS = ['jobs'] as const;
/** Refetches a running job often, and one that waits for its month rarely. */
const MOVING_MS = 1_000;
const WAITING_MS = 15_000;

const isMoving = ({ status }: BulkJob): boolean => status === 'parsing' || status === 'running';

function refetchMs(jobs: readonly BulkJob[]): number | false {
  if (jobs.some(isMoving)) return MOVING_MS;
  return jobs.some(({ status }) => status === 'paused') ? WAITING_MS : false;
}

export const jobsQuery = pagedQuery([...JOBS, 'list'], 'GET /jobs/', 'jobs', {}, (pages) =>
  refetchMs(pages.flatMap(({ jobs }) => jobs)),
);

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: [...JOBS, id],
    queryFn: ({ signal }) => callWith('GET /jobs/:id/', signal, { params: { id } }),
    refetchInterval: ({ state }) => refetchMs(state.data ? [state.data.job] : []),
  });

/** The rows that are shown or saved: all, those of a decision, or those that were not checked. */
export type ResultFilter = { readonly decision?: Decision; readonly kind?: ResultKind };

const RESULTS_MS = 2_000;

/** Rows of a job that runs are asked for again, so that verdicts appear as they come. */
export const jobResultsQuery = ({ id, status }: BulkJob, filter: ResultFilter) =>
  pagedQuery(
    [...JOBS, id, 'results', filter],
    'GET /jobs/:id/results/',
    'results',
    { params: { id }, query: filter },
    () => (status === 'running' ? RESULTS_MS : false),
  );

const PREVIEW_ROWS = 5;

export const jobPreviewQuery = (id: string) =>
  getQuery([...JOBS, id, 'preview'], 'GET /jobs/:id/results/', {
    params: { id },
    query: { limit: PREVIEW_ROWS },
  });

const TYPES: readonly (readonly [ending: RegExp, type: string])[] = [
  [/\.(ndjson|jsonl)$/i, 'application/x-ndjson'],
  [/\.json$/i, 'application/json'],
];
const typeOf = (file: File): string => TYPES.find(([ending]) => ending.test(file.name))?.[1] ?? 'text/csv';

export const uploadJob = ({
  file,
  keyId,
  column,
  signal,
  onProgress,
}: {
  file: File;
  keyId: string;
  column: string;
  signal: AbortSignal;
  onProgress: (share: number) => void;
}) =>
  upload('POST /jobs/', {
    file,
    type: typeOf(file),
    query: { api_key_id: keyId, name: file.name.slice(0, 200), column },
    // However often it is sent, one file is one job.
    headers: { 'idempotency-key': crypto.randomUUID() },
    signal,
    onProgress,
  });

export type JobAct = 'start' | 'pause' | 'cancel';
