import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Job, type JobFormat, Verdict } from '@verdict/sdk';
import type { Command } from 'commander';
import { publicApi } from '../config.js';
import type { Context } from '../context.js';
import { createProgress } from '../progress.js';

interface Options {
  readonly file?: string;
  readonly job?: string;
  readonly out: string;
  readonly column?: string;
}

const FORMATS: Readonly<Record<string, JobFormat>> = { ndjson: 'ndjson', jsonl: 'ndjson', json: 'json' };

/** Uploads a file, follows its job and writes the result. Ends when told to, and goes on later by the id of the job. */
export function addCheck(program: Command, { output, fail }: Context): void {
  program
    .command('check')
    .description('check every address of a file (VERDICT_URL, VERDICT_API_KEY)')
    .option('--file <path>', 'CSV with a header, NDJSON or a JSON array')
    .option('--job <id>', 'instead of a file: go on with a job that was begun')
    .requiredOption('--out <path>', 'where the result is written: .ndjson, or CSV')
    .option('--column <name>', 'the column that holds the addresses')
    .action(async (options: Options) => {
      const { baseUrl, apiKey } = publicApi();
      const verdict = new Verdict({ apiKey, baseUrl, timeoutMs: 30_000, deadlineMs: 120_000, retries: 5 });
      const id = options.job ?? (await upload(verdict, options)).id;
      const again = `verdict check --job ${id} --out ${options.out}`;
      const progress = createProgress(process.stderr);
      const interrupted = new AbortController();
      const interrupt = () => interrupted.abort();
      process.once('SIGINT', interrupt);
      try {
        const job = await follow(verdict, id, interrupted.signal, progress.show);
        progress.end();
        if (job.status !== 'completed') {
          const why = job.paused_because ?? job.failed_because;
          process.stderr.write(`the job is ${job.status}${why ? ` (${why})` : ''}; go on with: ${again}\n`);
          fail();
        }
        if (job.status !== 'failed' && job.status !== 'expired') {
          await download(`${baseUrl.replace(/\/?$/, '/')}jobs/${id}/results`, apiKey, options.out);
        }
        output().object({
          job: id,
          status: job.status,
          rows: job.rows,
          checked: job.done,
          malformed: job.malformed,
          ...job.by_decision,
          out: options.out,
        });
      } catch (error) {
        if (!interrupted.signal.aborted) throw error;
        progress.end();
        process.stderr.write(`the job goes on by itself; fetch it with: ${again}\n`);
        fail();
      } finally {
        process.off('SIGINT', interrupt);
      }
    });
}

async function upload(verdict: Verdict, { file, column }: Options): Promise<Job> {
  if (file === undefined) throw new Error('--file or --job is needed');
  const format = FORMATS[file.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'csv';
  const job = await verdict.jobs.create(
    Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>,
    {
      format,
      start: true,
      name: basename(file),
      ...(column !== undefined && { column }),
    },
  );
  process.stderr.write(`${job.id}: ${job.rows} rows, ${job.distinct} addresses to check\n`);
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

/** Beside its place first: a result is there as a whole, or not at all. */
async function download(url: string, apiKey: string, out: string): Promise<void> {
  const ending = out.toLowerCase().endsWith('.ndjson') ? 'ndjson' : 'csv';
  const answer = await fetch(`${url}.${ending}`, { headers: { 'x-api-key': apiKey }, redirect: 'error' });
  if (!answer.ok || !answer.body) throw new Error(`the result could not be fetched: ${answer.status}`);
  const part = `${out}.part`;
  const handle = await open(part, 'w');
  try {
    await pipeline(
      Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]),
      handle.createWriteStream(),
    );
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
