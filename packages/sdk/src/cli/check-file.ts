import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Job } from '../answers.js';
import { readBaseUrl } from '../base-url.js';
import { Verdict } from '../verdict.js';
import { VerdictError } from '../verdict-error.js';
import { EXIT } from './exit-code.js';
import { createProgress } from './progress.js';

export interface CheckFileOptions {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly file?: string | undefined;
  /** Instead of a file: goes on with a job that was begun. */
  readonly job?: string | undefined;
  readonly out?: string | undefined;
  readonly column?: string | undefined;
}

export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
  readonly screen: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  say(line: string): void;
}

/** Uploads a file, follows its job and writes the result. Ends when told to, and goes on later by the id of the job. */
export async function checkFile(options: CheckFileOptions, terminal: Terminal): Promise<number> {
  const { baseUrl, apiKey } = options;
  const { say, signal } = terminal;
  const verdict = new Verdict({ apiKey, baseUrl, timeoutMs: 30_000, deadlineMs: 120_000, retries: 5 });
  const id = options.job ?? (await upload(verdict, options, terminal)).id;
  const again = `verdict-check --job ${id}${options.out ? ` --out ${options.out}` : ''}`;
  const progress = createProgress(terminal.screen);
  let job: Job;
  try {
    job = await follow(verdict, id, signal, progress.show);
  } catch (error) {
    if (signal.aborted) say(`the job keeps running; fetch the result with: ${again}`);
    throw error;
  } finally {
    progress.end();
  }
  if (job.status !== 'failed' && job.status !== 'expired') {
    await download(`${readBaseUrl(baseUrl ?? '')}jobs/${id}/results`, apiKey ?? '', options.out, terminal);
  }
  const decisions = Object.entries(job.by_decision).map(([decision, count]) => `${decision} ${count}`);
  say(`${id}: ${job.rows} rows, ${job.done} checked, ${job.malformed} malformed; ${decisions.join(', ')}`);
  if (job.status === 'completed') return EXIT.done;
  const why = job.paused_because ?? job.failed_because;
  say(`the job is ${job.status}${why ? ` (${why})` : ''}; continue with: ${again}`);
  return EXIT.notCompleted;
}

async function upload(
  verdict: Verdict,
  { file, column }: CheckFileOptions,
  { input, say, signal }: Terminal,
): Promise<Job> {
  const isPath = file !== undefined && file !== '-';
  const job = await verdict.jobs.create(isPath ? { path: file } : input, {
    start: true,
    column,
    signal,
    name: isPath ? basename(file) : undefined,
  });
  say(`${job.id}: uploaded`);
  return job;
}

/** A job that somebody paused goes on, because whoever asks for its result wants it. */
async function follow(
  verdict: Verdict,
  id: string,
  signal: AbortSignal,
  onProgress: (job: Job) => void,
): Promise<Job> {
  const job = await verdict.jobs.get(id, { signal });
  if (job.status === 'ready' || (job.status === 'paused' && job.paused_because !== 'quota')) {
    await verdict.jobs.start(id, { signal });
  }
  return verdict.jobs.wait(id, { signal, intervalMs: 1_000, onProgress });
}

/** A file is written beside its place first: a result is there as a whole, or not at all. */
async function download(
  url: string,
  apiKey: string,
  out: string | undefined,
  { output, signal }: Terminal,
): Promise<void> {
  const ending = out?.toLowerCase().endsWith('.ndjson') ? 'ndjson' : 'csv';
  const answer = await fetch(`${url}.${ending}`, {
    headers: { 'x-api-key': apiKey },
    redirect: 'error',
    signal,
  });
  if (!answer.ok || !answer.body) {
    const message = `The result could not be fetched: ${answer.status}.`;
    throw new VerdictError(message, { code: 'bad_answer', status: answer.status });
  }
  const body = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
  if (out === undefined) return pipeline(body, output, { end: false });
  const part = `${out}.part`;
  try {
    await pipeline(body, createWriteStream(part));
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
