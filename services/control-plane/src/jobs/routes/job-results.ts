import { Readable } from 'node:stream';
import { IdParamsSchema } from '@verdict/contracts/dashboard/common.js';
import {
  JobDownloadQuerySchema,
  JobResultsQuerySchema,
  JobResultsReplySchema,
  RESULT_COLUMNS,
  type ResultKind,
} from '@verdict/contracts/jobs-api.js';
import type { BulkJobRow, FileLayout } from '@verdict/db/bulk/bulk-job-row.js';
import type { BulkJobs } from '@verdict/db/bulk/bulk-jobs.js';
import type { ResultFilter, ResultPage } from '@verdict/db/bulk/bulk-results.js';
import { compressAnswer } from '@verdict/service-kit/compress-answer.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import { stringify } from 'csv-stringify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp, KeyCaller } from '../../http/control-plane-app.js';
import { CsvReplySchema } from '../../http/csv-reply.js';
import { errorReplies } from '../../http/error-replies.js';
import { inAccountTurn } from '../../http/in-account-turn.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { pageOf } from '../../http/page-of.js';
import { everyResult } from '../every-result.js';
import { jobState } from '../job-errors.js';
import { headersOf, ourColumns, toCells, toJobResult, toNdjson } from '../result-writers.js';
import { sendResults } from '../send-results.js';

const NdjsonReplySchema = {
  description: 'NDJSON, one line for a row',
  content: { 'application/x-ndjson': { schema: Type.String() } },
};

/** Other requests wait while a page is written. */
const PAGE_BYTES_MAX = 256 * 1024;

/** Results at any time: rows that are not done yet have empty cells where their verdict will be. */
export function jobResultRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { cursors, largeWork } = deps;
  const config = { keyOrToken: true };
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

  app.get(
    '/jobs/:id/results/',
    {
      config,
      onRequest: inAccountTurn(deps),
      onSend: compressAnswer,
      schema: {
        tags: ['jobs'],
        summary: 'Rows of the file in their order, each with its verdict or its error',
        description:
          'Pages with `limit` and `cursor`, cut at 256 KB. Rows that are not done have null where the verdict will be.',
        params: IdParamsSchema,
        querystring: JobResultsQuerySchema,
        response: { 200: JobResultsReplySchema, ...errorReplies(400, 404, 409) },
      },
    },
    async (request) => {
      const { jobs, account } = request.keyCaller;
      const { job, layout } = await readableJob(jobs, request);
      const read = (page: ResultPage) => jobs.results(job.id, toFilter(request.query), page);
      const { rows, ...paging } = await pageOf(
        { cursors, listing: `results ${job.id}`, accountId: account.id, query: request.query },
        async (after, countMax) => {
          const found = await read({ after: Number(after?.id ?? 0), countMax, bytesMax: PAGE_BYTES_MAX });
          return found.map((row) => ({ ...row, id: String(row.row), created_at: '-' }));
        },
        async (last) => (await read({ after: last.row, countMax: 1, bytesMax: 1 })).length > 0,
      );
      const results = rows.map((row) => toJobResult(row, layout.columns));
      return { success: true as const, results, ...paging };
    },
  );

  app.get(
    '/jobs/:id/results.csv',
    {
      config,
      onSend: compressAnswer,
      schema: {
        tags: ['jobs'],
        summary: 'The file with our columns behind its own, as CSV',
        description:
          'Keeps delimiter and byte order mark of the file. Once the job has ended, `Range` continues a broken download.',
        params: IdParamsSchema,
        querystring: JobDownloadQuerySchema,
        response: { 200: CsvReplySchema, 206: CsvReplySchema, ...errorReplies(400, 404, 409, 416) },
      },
    },
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
  );

  app.get(
    '/jobs/:id/results.ndjson',
    {
      config,
      onSend: compressAnswer,
      schema: {
        tags: ['jobs'],
        summary: 'The rows of the file with our members behind their own, as NDJSON',
        description: 'One JSON object a line. Once the job has ended, `Range` continues a broken download.',
        params: IdParamsSchema,
        querystring: JobDownloadQuerySchema,
        response: {
          200: NdjsonReplySchema,
          206: NdjsonReplySchema,
          ...errorReplies(400, 404, 409, 416),
        },
      },
    },
    async (request, reply) => {
      const { jobs } = request.keyCaller;
      const { job, layout } = await readableJob(jobs, request);
      const tag = await tagOf(jobs, job);
      const read = readerOf(reply, request.keyCaller, job.id, toFilter(request.query));
      async function* lines(): AsyncGenerator<string> {
        let text = '';
        for await (const row of everyResult(read)) {
          text += toNdjson(row, layout.columns);
          if (text.length < 64 * 1024) continue;
          yield text;
          text = '';
        }
        if (text !== '') yield text;
      }
      const file = { type: 'application/x-ndjson', name: `${job.id}.ndjson`, tag, open: lines };
      return sendResults(request, reply, file);
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
