import { type Static, Type } from 'typebox';
import { ConsideredSchema } from './considered.js';
import { UsageBreakdownSchema } from './control-plane-api.js';
import {
  CountSchema,
  NullableStringSchema,
  NullableTimestampSchema,
  PageQuery,
  PageReply,
  Success,
  TimestampSchema,
} from './dashboard/common.js';
import { DECISIONS_PATTERN, DecisionSchema } from './decision.js';

/** Jobs of an account that are not at their end. */
export const ACTIVE_JOBS_MAX = 3;
/** How long the rows and results of a job are kept. */
export const JOB_DAYS = 30;
/** One row of a file, and how many columns it may have. */
export const ROW_CHARS_MAX = 8 * 1024;
export const COLUMNS_MAX = 256;

/** Codes of refusals that only jobs have. */
export const JOB_CODES = {
  noEmailColumn: 'no_email_column',
  tooManyJobs: 'too_many_jobs',
  tooManyRows: 'too_many_rows',
  jobState: 'job_state',
  unreadableFile: 'unreadable_file',
} as const;

export const JOB_STATUSES = [
  'parsing',
  'ready',
  'running',
  'paused',
  'completed',
  'canceled',
  'failed',
  'expired',
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];
const JobStatusSchema = Type.Enum(JOB_STATUSES);

export const JOB_FORMATS = ['csv', 'ndjson', 'json'] as const;
export type JobFormat = (typeof JOB_FORMATS)[number];

export const PAUSE_REASONS = ['request', 'quota', 'key_inactive'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** How often DNS is asked again about addresses that it left unknown. */
export const ASKING_ROUNDS_MAX = 3;

const JOB_PHASES = ['parsing', 'checking', 'asking_again'] as const;

const SecondsSchema = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });

export const JobSchema = Type.Object(
  {
    id: Type.String({ description: 'Begins with job_' }),
    status: JobStatusSchema,
    api_key_id: Type.String({ description: 'The key that the checks are charged to' }),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Name of the file, where one was sent' }),
    format: Type.Enum(JOB_FORMATS),
    columns: Type.Array(Type.String(), { description: 'The columns of the file, in their order' }),
    column: NullableStringSchema,
    other_columns: Type.Array(Type.String(), {
      description: 'Further columns that look like addresses and are not checked; name one with column',
    }),
    rows: CountSchema,
    distinct: Type.Integer({ minimum: 0, description: 'Addresses to check, each once' }),
    malformed: Type.Integer({ minimum: 0, description: 'Rows without an address; they are not checked' }),
    duplicates: Type.Integer({
      minimum: 0,
      description: 'Rows whose address an earlier row has; they get its verdict and do not count',
    }),
    done: Type.Integer({ minimum: 0, description: 'Of the distinct addresses' }),
    by_decision: UsageBreakdownSchema.properties.by_decision,
    unknown: Type.Integer({
      minimum: 0,
      description:
        'Addresses whose domain DNS could not answer for yet; asked again at the end, and counted then',
    }),
    quote: Type.Union(
      [
        Type.Object(
          {
            checks_needed: CountSchema,
            quota_left: CountSchema,
            expected_seconds: CountSchema,
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'Remaining cost and time; null while the file is parsed, and when the job is done' },
    ),
    phase: Type.Union([Type.Enum(JOB_PHASES), Type.Null()], {
      description: '`parsing` the file, `checking`, then `asking_again` for what DNS left unknown',
    }),
    asking_again: Type.Union(
      [
        Type.Object(
          {
            round: Type.Integer({ minimum: 1, maximum: ASKING_ROUNDS_MAX, description: 'Of three at most' }),
            left: Type.Integer({ minimum: 0, description: 'Addresses that wait for an answer' }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'How far the last phase is' },
    ),
    considered: ConsideredSchema,
    seconds_left: SecondsSchema('While it runs, at the pace of the last chunks'),
    paused_because: Type.Union([Type.Enum(PAUSE_REASONS), Type.Null()]),
    failed_because: NullableStringSchema,
    failed_code: Type.Union([Type.String(), Type.Null()], {
      description:
        'The code that an upload with the same fault is refused with; null if the upload was interrupted',
    }),
    created_at: TimestampSchema,
    started_at: NullableTimestampSchema,
    finished_at: NullableTimestampSchema,
    expires_at: TimestampSchema,
  },
  { additionalProperties: false },
);
export type BulkJob = Static<typeof JobSchema>;

export const JobReplySchema = Success({ job: JobSchema });
export type JobReply = Static<typeof JobReplySchema>;

export const JobsQuerySchema = Type.Object(PageQuery, { additionalProperties: false });
export const JobsReplySchema = Success({ jobs: Type.Array(JobSchema), ...PageReply });
export type JobsReply = Static<typeof JobsReplySchema>;

export const UploadQuerySchema = Type.Object(
  {
    column: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The column that holds the addresses' }),
    ),
    start: Type.Optional(
      Type.Literal('auto', { description: 'Begin as soon as the file is read; otherwise POST …/start/' }),
    ),
    api_key_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'The key to charge; required with a bearer token' }),
    ),
    name: Type.Optional(Type.String({ maxLength: 200, description: 'A name of the file, to recognise it' })),
  },
  { additionalProperties: false },
);
export type UploadQuery = Static<typeof UploadQuerySchema>;

/**
 * The columns added to each row, after its own and in this order. A name that the file already has gets the prefix
 * verdict_.
 */
export const RESULT_COLUMNS = [
  'decision',
  'risk_score',
  'disposable_email',
  'mx_valid',
  'free_provider',
  'reasons',
  'log_id',
  'error',
] as const;
export type ResultColumn = (typeof RESULT_COLUMNS)[number];

export const JobResultSchema = Type.Object(
  {
    row: Type.Integer({ minimum: 1, description: 'Of the file, without its header' }),
    input: Type.Record(Type.String(), Type.Unknown(), { description: 'The row as it was sent' }),
    decision: Type.Union([DecisionSchema, Type.Null()], {
      description: 'Null while the address is not done, and where there is none',
    }),
    risk_score: Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Null()]),
    disposable_email: Type.Union([Type.Boolean(), Type.Null()]),
    mx_valid: Type.Union([Type.Boolean(), Type.Null()]),
    free_provider: Type.Union([Type.Boolean(), Type.Null()]),
    reasons: Type.Array(Type.String()),
    log_id: NullableStringSchema,
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why the row has no address' }),
  },
  { additionalProperties: false },
);
export type JobResult = Static<typeof JobResultSchema>;

const RESULT_KINDS = ['invalid', 'duplicate'] as const;
export type ResultKind = (typeof RESULT_KINDS)[number];

const ResultFilters = {
  kind: Type.Optional(
    Type.Enum(RESULT_KINDS, {
      description: 'invalid: rows without an address; duplicate: rows whose address an earlier row has',
    }),
  ),
  decision: Type.Optional(
    Type.String({
      pattern: DECISIONS_PATTERN,
      description: 'One decision, or several separated by commas',
    }),
  ),
};
export const JobResultsQuerySchema = Type.Object(
  { ...ResultFilters, ...PageQuery },
  { additionalProperties: false },
);
export const JobDownloadQuerySchema = Type.Object(ResultFilters, { additionalProperties: false });
export const JobResultsReplySchema = Success({ results: Type.Array(JobResultSchema), ...PageReply });
export type JobResultsReply = Static<typeof JobResultsReplySchema>;
