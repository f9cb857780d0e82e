import { Readable } from 'node:stream';
import { RESULT_COLUMNS, type ResultKind } from '@verdict/contracts/jobs-api.js';
import { JOB_ROUTES } from '@verdict/contracts/routes/job-routes.js';
import type { BulkJobRow, FileLayout } from '@verdict/db/bulk/bulk-job-row.js';
import type { BulkJobs } from '@verdict/db/bulk/bulk-jobs.js';
import type { ResultFilter, ResultPage } from '@verdict/db/bulk/bulk-results.js';
import { attach } from '@verdict/service-kit/attach.js';
import { compressAnswer } from '@verdict/service-kit/compress-answer.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import { stringify } from 'csv-stringify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp, KeyCaller } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { pageOf } from '../../http/page-of.js';
import { everyResult } from '../every-result.js';
import { jobState } from '../job-errors.js';
import { headersOf, ourColumns, toCells, toJobResult, toNdjson } from '../result-writers.js';
import { sendResults } from '../send-results.js';

/** Other requests wait while a page is written. */
const PAGE_BYTES_MAX = 256 * 1024;

/** Results at any time: rows that are not done yet have empty cells where their verdict will be. */
export function jobResultRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { cursors, largeWork } = deps;
  /** Reads pages of a download: each in turn, because its reader may be slow. */
  const readerOf = (
    reply: FastifyReply,
    { jobs, account }: KeyCaller,
    jobId: string,
    filter: ResultFilter,
  ) => {
    const signal = whileOpen(reply);
    return (page: ResultPage, isUnderWay = false) =>
      largeWork(account.id, () => jobs.results(jobId, filter, page), { signal, isUnderWay });
  };

  attach(
    app,
    JOB_ROUTES.results,
    async (request) => {
      const { jobs, account } = request.keyCaller;
      const { job, layout } = await readableJob(jobs, request);
      const read = (page: ResultPage) => jobs.results(job.id, toFilter(request.query), page);
      const { rows, ...paging } = await pageOf(
        { cursors, listing: `results ${job.id}`, accountId: account.id, query: request.query },
        async (after, countMax) => {
          const found = await read({ after: Number(after?.id ?? 0), countMax, bytesMax: PAGE_BYTES_MAX });
          return found.map((row) => ({
            id: String(row.row),
            created_at: '-',
            result: toJobResult(row, layout.columns),
          }));
        },
        async ({ id }) => (await read({ after: Number(id), countMax: 1, bytesMax: 1 })).length > 0,
      );
      const results = rows.map(({ result }) => result);
      return { success: true, results, ...paging };
    },
    {
      onSend: compressAnswer,
    },
  );

  attach(
    app,
    JOB_ROUTES.resultsCsv,
    async (request, reply) => {
      const { jobs } = request.keyCaller;
      const { job, layout } = await readableJob(jobs, request);
      const tag = await tagOf(jobs, job);
      const { columns, delimiter, bom } = layout;
      const read = readerOf(reply, request.keyCaller, job.id, toFilter(request.query));
      const names = ourColumns(columns);
      async function* records(): AsyncGenerator<string[]> {
        const rows = everyResult(read);
        // Before the header: a refusal of the first page can still be answered with its status.
        let next = await rows.next();
        yield [...headersOf(job.format, columns), ...RESULT_COLUMNS.map((column) => names[column])];
        for (; !next.done; next = await rows.next()) yield toCells(next.value, columns);
      }
      const open = () => {
        const csv = stringify({ delimiter, bom, record_delimiter: 'windows', quoted_match: /[\r\n]/ });
        const source = Readable.from(records());
        source.once('error', (error) => csv.destroy(error));
        csv.once('close', () => source.destroy());
        return source.pipe(csv);
      };
      return sendResults(request, reply, { type: 'text/csv', name: `${job.id}.csv`, tag, open });
    },
    {
      onSend: compressAnswer,
    },
  );

  attach(
    app,
    JOB_ROUTES.resultsNdjson,
    async (request, reply) => {
      const { jobs } = request.keyCaller;
      const { job, layout } = await readableJob(jobs, request);
      const tag = await tagOf(jobs, job);
      const read = readerOf(reply, request.keyCaller, job.id, toFilter(request.query));
      const names = ourColumns(layout.columns);
      async function* lines(): AsyncGenerator<string> {
        let text = '';
        for await (const row of everyResult(read)) {
          text += toNdjson(row, layout.columns, names);
          if (text.length < 64 * 1024) continue;
          yield text;
          text = '';
        }
        if (text !== '') yield text;
      }
      const file = { type: 'application/x-ndjson', name: `${job.id}.ndjson`, tag, open: lines };
      return sendResults(request, reply, file);
    },
    {
      onSend: compressAnswer,
    },
  );
}

/** Names the bytes of a finished job's files: erasing a person changes them, and so does the last chunk of a canceled job. */
async function tagOf(jobs: BulkJobs, { id, finished_at, done }: BulkJobRow): Promise<string | null> {
  if (finished_at === null) return null;
  return `"${id}-${done}-${await jobs.erasedCount(id)}"`;
}

async function readableJob(
  jobs: BulkJobs,
  request: FastifyRequest<{ Params: { id: string } }>,
): Promise<{ job: BulkJobRow; layout: FileLayout }> {
  const job = await jobs.find(ownId('job', request.params.id));
  if (!job) throw nothingHere();
  // Which columns there are is known when the file has been read; and what has expired is gone.
  if (job.status === 'parsing' || job.status === 'expired' || job.status === 'failed')
    throw jobState(job.status);
  return { job, layout: JSON.parse(job.layout) as FileLayout };
}

const toFilter = ({ decision, kind }: { decision?: string; kind?: ResultKind }): ResultFilter => ({
  ...(decision === undefined ? {} : { decisions: decision.split(',') }),
  ...(kind === undefined ? {} : { kind }),
});
