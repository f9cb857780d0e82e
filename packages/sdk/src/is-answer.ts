import type { CheckResult, Job, JobResult, OutcomesResult, StatusResult, UsageResult } from './answers.js';
import type { BatchItemResult } from './types.js';

/** Whether JSON is what an operation answers with: a portal or a proxy may say 200 to anything. */
export type IsAnswer<T> = (body: Fields) => body is Fields & T;
export type Fields = Readonly<Record<string, unknown>>;

const DECISIONS: ReadonlySet<unknown> = new Set(['allow', 'challenge', 'review', 'block']);

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isCheck = (body: Fields): body is Fields & CheckResult =>
  body.success === true && DECISIONS.has(body.decision);

/** As many results as items were sent, each a check or what is wrong with its item. */
export const isBatchOf =
  (items: number): IsAnswer<{ results: BatchItemResult[] }> =>
  (body): body is Fields & { results: BatchItemResult[] } =>
    Array.isArray(body.results) && body.results.length === items && body.results.every(isItem);

const isItem = (item: unknown): boolean =>
  isFields(item) && (isFields(item.check) ? isCheck(item.check) : typeof item.error === 'string');

export const isStatus = (body: Fields): body is Fields & StatusResult => body.status === 'ok';

export const isUsage = (body: Fields): body is Fields & UsageResult => typeof body.checks_used === 'number';

export const isOutcomes = (body: Fields): body is Fields & OutcomesResult =>
  typeof body.recorded === 'number' && Array.isArray(body.errors);

export const hasJob = (body: Fields): body is Fields & { job: Job } =>
  isFields(body.job) && typeof body.job.id === 'string' && typeof body.job.status === 'string';

interface Paged {
  next_cursor: string | null;
}
const isPaged = ({ next_cursor: next }: Fields): boolean => next === null || typeof next === 'string';

export const hasJobs = (body: Fields): body is Fields & Paged & { jobs: Job[] } =>
  Array.isArray(body.jobs) && isPaged(body);

export const hasJobResults = (body: Fields): body is Fields & Paged & { results: JobResult[] } =>
  Array.isArray(body.results) && isPaged(body);

export const isSuccess = (body: Fields): body is Fields => body.success === true;
