import type { RawBody } from './send-once.js';
import type { Decision, Job, JobFormat, JobResult } from './types.js';
import type { CallOptions } from './verdict.js';

/** A file: its text or bytes, a stream of them, or rows as objects or bare addresses. */
export type JobFile = RawBody | readonly (string | Readonly<Record<string, unknown>>)[];

export interface CreateJobOptions extends Omit<CallOptions, 'deadlineMs'> {
  /** What the file is; `csv`, or `json` for rows. */
  readonly format?: JobFormat;
  /** The column that holds the addresses; otherwise it is recognised by its header. */
  readonly column?: string;
  /** Begin as soon as the file is read. */
  readonly start?: boolean;
  /** A name to recognise it by. */
  readonly name?: string;
  /** A key of your own: the same key is the same job. By default each call gets one, shared by its tries. */
  readonly idempotencyKey?: string;
  /** How long the upload may take; ten minutes. */
  readonly timeoutMs?: number;
}

export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** How often to ask; every two seconds. */
  readonly intervalMs?: number;
  /** Called with every answer. */
  readonly onProgress?: (job: Job) => void;
}

export interface ResultOptions extends CallOptions {
  /** Rows with these decisions only. */
  readonly decision?: Decision | readonly Decision[];
}

/** Bulk jobs: a file goes in, every row comes back with its verdict. */
export interface Jobs {
  create(file: JobFile, options?: CreateJobOptions): Promise<Job>;
  get(id: string, options?: CallOptions): Promise<Job>;
  list(options?: CallOptions): Promise<Job[]>;
  start(id: string, options?: CallOptions): Promise<Job>;
  pause(id: string, options?: CallOptions): Promise<Job>;
  cancel(id: string, options?: CallOptions): Promise<Job>;
  /** Erases the job with all of its rows. */
  remove(id: string, options?: CallOptions): Promise<void>;
  /** Resolves when the job is at its end, or paused: `status` says which. Goes on through failures of the network. */
  wait(id: string, options?: WaitOptions): Promise<Job>;
  /** Every row of the file in its order. While the job runs, rows that are not done have a decision of null. */
  results(id: string, options?: ResultOptions): AsyncIterableIterator<JobResult>;
}

interface JobCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly raw?: { readonly body: RawBody; readonly type: string };
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
}

export type CallJobs = <T>(call: JobCall, options: CallOptions) => Promise<T>;

const TYPES: Readonly<Record<JobFormat, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};
const UPLOAD_MS = 600_000;
/** Pages of a long list are asked for one after the other, and may have to wait for their turn. */
const PATIENT = { deadlineMs: 120_000, retries: 20 };
const MOVING = new Set(['parsing', 'ready', 'running']);

export function createJobs(call: CallJobs): Jobs {
  const one = async (method: 'GET' | 'POST', path: string, options: CallOptions = {}): Promise<Job> =>
    (await call<{ job: Job }>({ method, path }, options)).job;

  async function* results(id: string, { decision, ...options }: ResultOptions = {}) {
    const wanted = decision === undefined ? '' : `&decision=${[decision].flat().join(',')}`;
    let cursor = '';
    for (;;) {
      const page = await call<{ results: JobResult[]; next_cursor: string | null }>(
        { method: 'GET', path: `jobs/${id}/results/?limit=500${wanted}${cursor}`, timeoutMs: 30_000 },
        { ...PATIENT, ...options },
      );
      yield* page.results;
      if (page.next_cursor === null) return;
      cursor = `&cursor=${page.next_cursor}`;
    }
  }

  return {
    async create(file, options = {}) {
      const { format, column, start = false, name, idempotencyKey, timeoutMs = UPLOAD_MS } = options;
      const rows = Array.isArray(file);
      const query = new URLSearchParams();
      if (column !== undefined) query.set('column', column);
      if (name !== undefined) query.set('name', name);
      if (start) query.set('start', 'auto');
      const body = rows ? JSON.stringify(file) : (file as RawBody);
      // A stream that was sent cannot be sent again.
      const retries = file instanceof ReadableStream ? { retries: 0 } : {};
      const { job } = await call<{ job: Job }>(
        {
          method: 'POST',
          path: `jobs/?${query}`,
          raw: { body, type: TYPES[format ?? (rows ? 'json' : 'csv')] },
          idempotencyKey: idempotencyKey ?? crypto.randomUUID(),
          timeoutMs,
        },
        { ...options, ...retries, deadlineMs: timeoutMs },
      );
      return job;
    },
    get: (id, options) => one('GET', `jobs/${id}/`, options),
    start: (id, options) => one('POST', `jobs/${id}/start/`, options),
    pause: (id, options) => one('POST', `jobs/${id}/pause/`, options),
    cancel: (id, options) => one('POST', `jobs/${id}/cancel/`, options),
    async list(options = {}) {
      const jobs: Job[] = [];
      let cursor = '';
      do {
        const page = await call<{ jobs: Job[]; next_cursor: string | null }>(
          { method: 'GET', path: `jobs/?limit=500${cursor}` },
          options,
        );
        jobs.push(...page.jobs);
        cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
      } while (cursor !== '');
      return jobs;
    },
    async remove(id, options = {}) {
      await call(
        { method: 'DELETE', path: `jobs/${id}/`, timeoutMs: 60_000 },
        { deadlineMs: 60_000, ...options },
      );
    },
    async wait(id, { signal, intervalMs = 2_000, onProgress } = {}) {
      const asking = { ...PATIENT, ...(signal && { signal }) };
      for (;;) {
        const job = await one('GET', `jobs/${id}/`, asking);
        onProgress?.(job);
        if (!MOVING.has(job.status)) return job;
        await sleep(intervalMs, signal);
      }
    },
    results,
  };
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener('abort', wake, { once: true });
    if (signal?.aborted) wake();
  });
}
