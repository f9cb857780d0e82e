import { Type } from 'typebox';
import { DoneSchema, IdParamsSchema } from '../dashboard/common.js';
import {
  JobDownloadQuerySchema,
  JobReplySchema,
  JobResultsQuerySchema,
  JobResultsReplySchema,
  JobsQuerySchema,
  JobsReplySchema,
  UploadQuerySchema,
} from '../jobs-api.js';
import { CsvFile, RowsFile } from './file-replies.js';
import { route } from './route.js';
import { TAKES } from './takes.js';

const UploadedFile = Type.String({ description: 'At most 100 MB, and as many rows as the plan takes' });

/** Read as they arrive. */
const UPLOADS = {
  'text/csv': { schema: UploadedFile },
  'application/x-ndjson': { schema: UploadedFile },
  'application/json': {
    schema: { type: 'array', items: { type: ['object', 'string'] }, description: 'Rows, or bare addresses' },
  },
  'multipart/form-data': {
    schema: {
      type: 'object',
      required: ['file'],
      description: 'Query parameters may also come here, before the file',
      properties: { file: { type: 'string', contentMediaType: 'text/csv' } },
    },
  },
};

const actOn = <const Act extends string>(act: Act, summary: string, description: string) =>
  route({
    method: 'POST',
    path: `/jobs/:id/${act}/`,
    callers: 'key or user',
    scope: 'jobs',
    takes: TAKES.change,
    tag: 'jobs',
    summary,
    description,
    params: IdParamsSchema,
    replies: { 200: JobReplySchema },
    codes: [409],
  });

export const JOB_ROUTES = {
  results: route({
    method: 'GET',
    path: '/jobs/:id/results/',
    callers: 'key or user',
    scope: 'jobs',
    takes: TAKES.widePage,
    tag: 'jobs',
    summary: 'Rows of the file in their order, each with its verdict or its error',
    description:
      'Pages with `limit` and `cursor`, cut at 256 KB. Rows that are not done have null where the verdict will be.',
    params: IdParamsSchema,
    query: JobResultsQuerySchema,
    replies: { 200: JobResultsReplySchema },
    codes: [409],
  }),
  resultsCsv: route({
    method: 'GET',
    path: '/jobs/:id/results.csv',
    callers: 'key or user',
    scope: 'jobs',
    takes: TAKES.download,
    tag: 'jobs',
    summary: 'The file with our columns behind its own, as CSV',
    description:
      'Keeps delimiter and byte order mark of the file. Once the job has ended, `Range` continues a broken download.',
    params: IdParamsSchema,
    query: JobDownloadQuerySchema,
    replies: { 200: CsvFile, 206: CsvFile },
    codes: [409, 416],
  }),
  resultsNdjson: route({
    method: 'GET',
    path: '/jobs/:id/results.ndjson',
    callers: 'key or user',
    scope: 'jobs',
    takes: TAKES.download,
    tag: 'jobs',
    summary: 'The rows of the file with our members behind their own, as NDJSON',
    description: 'One JSON object a line. Once the job has ended, `Range` continues a broken download.',
    params: IdParamsSchema,
    query: JobDownloadQuerySchema,
    replies: { 200: RowsFile, 206: RowsFile },
    codes: [409, 416],
  }),
  list: route({
    method: 'GET',
    path: '/jobs/',
    callers: 'key or user',
    scope: 'jobs',
    takes: TAKES.page,
    tag: 'jobs',
    summary: 'Bulk jobs, newest first',
    description: 'A key sees the jobs charged to it, a token all jobs of the account.',
    query: JobsQuerySchema,
    replies: { 200: JobsReplySchema },
    codes: [400],
  }),
  find: route({
    method: 'GET',
    path: '/jobs/:id/',
    callers: 'key or user',
    scope: 'jobs',
    takes: TAKES.read,
    tag: 'jobs',
    summary: 'One job: how far it is, what it found, what it still costs',
    description: 'Ask every few seconds while `status` is `parsing` or `running`.',
    params: IdParamsSchema,
    replies: { 200: JobReplySchema },
  }),
  start: actOn(
    'start',
    'Start a ready job or resume a paused one',
    'A job whose file is still being parsed starts afterwards. One uploaded with `start=auto` starts without this.',
  ),
  pause: actOn('pause', 'Pause a job; the chunk in hand is finished', '`start` resumes it where it stopped.'),
  cancel: actOn(
    'cancel',
    'End a job for good; what is done stays',
    'Its results so far can be read as long as those of other jobs.',
  ),
  delete: route({
    method: 'DELETE',
    path: '/jobs/:id/',
    callers: 'key or user',
    scope: 'jobs',
    takes: TAKES.act,
    tag: 'jobs',
    summary: 'Delete a job and its rows immediately; its checks stay counted',
    description: 'Works in every state.',
    params: IdParamsSchema,
    replies: { 200: DoneSchema },
  }),
  upload: route({
    method: 'POST',
    path: '/jobs/',
    callers: 'key or user',
    scope: 'jobs',
    takes: TAKES.upload,
    tag: 'jobs',
    summary: 'Upload a file of addresses',
    description:
      'CSV (with a header; commas, semicolons or tabs), NDJSON, a JSON array, or a form with one such file. Files up to 256 kB are parsed before the answer, larger ones are `parsing` first. With `Idempotency-Key` the same key is the same job.',
    query: UploadQuerySchema,
    headers: Type.Object({
      'Idempotency-Key': Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'Your text: while the job exists, the same key returns the same job',
        }),
      ),
    }),
    files: UPLOADS,
    replies: { 202: JobReplySchema },
    codes: [
      'idempotency_mismatch',
      'no_email_column',
      'unreadable_file',
      'key_mismatch',
      'job_state',
      'too_many_rows',
      'too_many_jobs',
    ],
  }),
};
