import type { Decision, Job, JobFormat, JobResult } from './answers.js';
import { type Fields, hasJob, hasJobResults, hasJobs, type IsAnswer, isSuccess } from './is-answer.js';
import { type JobFile, readJobFile, type Upload } from './job-file.js';
import { onAbort } from './on-abort.js';
import type { CallOptions } from './options.js';
import { VerdictError } from './verdict-error.js';

export interface CreateJobOptions extends Omit<CallOptions, 'deadlineMs'> {
  /** The format of the file. Default: `json` for rows, the extension of a path, or `csv`. */
  readonly format?: JobFormat | undefined;
  /** The column that holds the addresses; otherwise it is recognised by its header. */
  readonly column?: string | undefined;
  /** Begin as soon as the file is read. */
  readonly start?: boolean | undefined;
  /** A name to recognise it by. */
  readonly name?: string | undefined;
  /** Your idempotency key: the same key is the same job. By default each call makes one, shared by its attempts. */
  readonly idempotencyKey?: string | undefined;
  /** How long the upload may take; ten minutes. */
  readonly timeoutMs?: number | undefined;
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** How often to ask; every two seconds. */
  readonly intervalMs?: number | undefined;
  /** How long to wait in all; without it, as long as the job takes. Afterwards it throws `deadline_exceeded`. */
  readonly timeoutMs?: number | undefined;
  /** Called with every answer. */
  readonly onProgress?: ((job: Job) => void) | undefined;
}

export interface ResultOptions extends CallOptions {
  /** Rows with these decisions only. */
  readonly decision?: Decision | readonly Decision[] | undefined;
}

/** Bulk jobs: a file goes in, every row comes back with its verdict. */
export interface Jobs {
  /** Takes text, bytes, a Blob, any async iterable of them, `{path}`, or rows. An error of the file is thrown as it is. */
  create(file: JobFile, options?: CreateJobOptions): Promise<Job>;
  get(id: string, options?: CallOptions): Promise<Job>;
  list(options?: CallOptions): Promise<Job[]>;
  start(id: string, options?: CallOptions): Promise<Job>;
  pause(id: string, options?: CallOptions): Promise<Job>;
  cancel(id: string, options?: CallOptions): Promise<Job>;
  /** Erases the job with all of its rows. */
  remove(id: string, options?: CallOptions): Promise<void>;
  /** Resolves when the job has ended, paused, or is `ready` and waits for `start`; `status` says which. Continues through network failures. */
  wait(id: string, options?: WaitOptions): Promise<Job>;
  /** Every row of the file in its order. While the job runs, rows that are not done have a decision of null. */
  results(id: string, options?: ResultOptions): AsyncIterableIterator<JobResult>;
}

interface JobCall<T> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly isAnswer: IsAnswer<T>;
  readonly upload?: Upload & { readonly type: string };
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
}

export type CallJobs = <T>(call: JobCall<T>, options: CallOptions) => Promise<T>;

const TYPES: Readonly<Record<JobFormat, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};
const UPLOAD_MS = 600_000;
/** Pages of a long list are requested one after the other, and may wait for the rate limit. */
const PATIENT = { deadlineMs: 120_000, retries: 20 };
const MOVING = new Set(['parsing', 'running']);

export function createJobs(call: CallJobs): Jobs {
  const one = async (method: 'GET' | 'POST', path: string, options: CallOptions = {}): Promise<Job> =>
    (await call({ method, path, isAnswer: hasJob }, options)).job;

  async function* results(id: string, { decision, ...options }: ResultOptions = {}) {
    const wanted = decision === undefined ? '' : `&decision=${[decision].flat().join(',')}`;
    let cursor = '';
    for (;;) {
      const path = `jobs/${encodeURIComponent(id)}/results/?limit=500${wanted}${cursor}`;
      const page = await call(
        { method: 'GET', path, isAnswer: hasJobResults, timeoutMs: 30_000 },
        { ...PATIENT, ...options },
      );
      yield* page.results;
      if (page.next_cursor === null) return;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  }

  return {
    async create(file, options = {}) {
      const { format, column, start = false, name, idempotencyKey, timeoutMs = UPLOAD_MS } = options;
      const upload = readJobFile(file);
      const query = new URLSearchParams();
      if (column !== undefined) query.set('column', column);
      if (name !== undefined) query.set('name', name);
      if (start) query.set('start', 'auto');
      const { job } = await call(
        {
          method: 'POST',
          path: `jobs/?${query}`,
          isAnswer: hasJob,
          upload: { ...upload, type: TYPES[format ?? upload.format] },
          idempotencyKey: idempotencyKey ?? crypto.randomUUID(),
          timeoutMs,
        },
        { ...options, ...(!upload.isRepeatable && { retries: 0 }), deadlineMs: timeoutMs },
      );
      return job;
    },
    get: (id, options) => one('GET', `jobs/${encodeURIComponent(id)}/`, options),
    start: (id, options) => one('POST', `jobs/${encodeURIComponent(id)}/start/`, options),
    pause: (id, options) => one('POST', `jobs/${encodeURIComponent(id)}/pause/`, options),
    cancel: (id, options) => one('POST', `jobs/${encodeURIComponent(id)}/cancel/`, options),
    async list(options = {}) {
      const jobs: Job[] = [];
      let cursor = '';
      do {
        const path = `jobs/?limit=500${cursor}`;
        const page = await call({ method: 'GET', path, isAnswer: hasJobs }, options);
        jobs.push(...page.jobs);
        cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
      } while (cursor !== '');
      return jobs;
    },
    async remove(id, options = {}) {
      await call<Fields>(
        { method: 'DELETE', path: `jobs/${encodeURIComponent(id)}/`, isAnswer: isSuccess, timeoutMs: 60_000 },
        { deadlineMs: 60_000, ...options },
      );
    },
    async wait(id, { signal, intervalMs = 2_000, timeoutMs = Number.POSITIVE_INFINITY, onProgress } = {}) {
      const endsAt = performance.now() + timeoutMs;
      for (;;) {
        const leftMs = endsAt - performance.now();
        if (leftMs <= 0) throw waitedTooLong(id, timeoutMs);
        const asking = { ...PATIENT, deadlineMs: Math.min(PATIENT.deadlineMs, leftMs), signal };
        const job = await one('GET', `jobs/${encodeURIComponent(id)}/`, asking).catch((error: unknown) => {
          throw isOutOfTime(error) && leftMs <= PATIENT.deadlineMs ? waitedTooLong(id, timeoutMs) : error;
        });
        onProgress?.(job);
        if (!MOVING.has(job.status)) return job;
        await sleep(Math.min(intervalMs, Math.max(0, endsAt - performance.now())), signal);
      }
    },
    results,
  };
}

const isOutOfTime = (error: unknown) =>
  error instanceof VerdictError && (error.code === 'deadline_exceeded' || error.code === 'queue_timeout');

const waitedTooLong = (id: string, timeoutMs: number) =>
  new VerdictError(`The job ${id} did not end within ${timeoutMs} ms.`, { code: 'deadline_exceeded' });

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      forget?.();
      resolve();
    };
    const timer = setTimeout(wake, ms);
    const forget = signal && onAbort(signal, wake);
    if (signal?.aborted) wake();
  });
}
