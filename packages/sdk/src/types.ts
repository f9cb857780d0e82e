import type { Signals } from './signals.js';

/** The types of the API. A test compares them with the schemas that the service validates with. */

export type Decision = 'allow' | 'challenge' | 'review' | 'block';

export type Expansion = 'signals' | 'breakdown';

export interface CheckInput {
  readonly email: string;
  readonly ip?: string | null | undefined;
}

export interface Factor {
  code: string;
  points: number;
  reason: string;
}

export interface Datasets {
  disposable_domains: { count: number; version: string };
  free_providers: { version: string };
  role_prefixes: { version: string };
}

export interface CheckResult {
  success: true;
  /** Begins with `log_`. */
  id: string;
  email: string;
  ip: string | null;
  decision: Decision;
  /** 0 to 100. */
  risk_score: number;
  signals: Signals;
  reasons: string[];
  /** ISO 8601 with microseconds and a UTC offset. */
  created_at: string;
  /** Only with `expand: ['breakdown']`; the points add up exactly to `risk_score`. */
  breakdown?: { factors: Factor[]; datasets: Datasets };
}

export interface BatchItem extends CheckInput {
  /** Your name for the item, at most 128 characters; it comes back with the result. */
  readonly ref?: string | undefined;
}

/** A check, or what is wrong with the item: `result.check` tells the two apart. */
export type BatchItemResult = CheckedItem | RefusedItem;

export interface CheckedItem {
  ref: string | null;
  check: CheckResult;
  error?: undefined;
  code?: undefined;
  errors?: undefined;
}

/** An item that could not be checked, and why. */
export interface RefusedItem {
  ref: string | null;
  check?: undefined;
  error: string;
  code: string;
  errors: FieldError[];
}

export interface StatusResult {
  success: true;
  status: 'ok';
  datasets: Datasets;
}

export interface UsageResult {
  success: true;
  plan: string;
  period: { start: string; end: string };
  checks_used: number;
  checks_limit: number;
  checks_remaining: number;
  by_decision: Record<Decision, number>;
  by_day: { date: string; checks: number }[];
  resets_at: string;
  /** For a key with its own monthly quota. */
  key?: { checks_used: number; checks_limit: number; checks_remaining: number };
}

export type JobStatus =
  | 'parsing'
  | 'ready'
  | 'running'
  | 'paused'
  | 'completed'
  | 'canceled'
  | 'failed'
  | 'expired';

export type JobFormat = 'csv' | 'ndjson' | 'json';

/** A bulk job. */
export interface Job {
  /** Begins with `job_`. */
  id: string;
  status: JobStatus;
  /** The key that the checks are charged to. */
  api_key_id: string;
  name: string | null;
  format: JobFormat;
  columns: string[];
  /** The column that holds the addresses. */
  column: string | null;
  /** Further columns that look like addresses; `column` of the upload chooses one. */
  other_columns: string[];
  rows: number;
  /** Addresses to check, each once; how many rows have none; and how many repeat one. */
  distinct: number;
  malformed: number;
  duplicates: number;
  /** Of the distinct addresses. */
  done: number;
  by_decision: Record<Decision, number>;
  /** Addresses whose domain DNS could not answer for yet. */
  unknown: number;
  quote: { checks_needed: number; quota_left: number; expected_seconds: number } | null;
  /** Parsing the file, checking, then asking DNS again for what it left unknown. */
  phase: 'parsing' | 'checking' | 'asking_again' | null;
  asking_again: { round: number; left: number } | null;
  /** Facts beside the address that rows are judged with: your lists and the policy that was live at the start. */
  considered: ('lists' | 'policy' | 'bursts' | 'ip')[];
  seconds_left: number | null;
  paused_because: 'request' | 'quota' | 'key_inactive' | null;
  failed_because: string | null;
  /** Code of the fault in the file, such as `unreadable_file`. */
  failed_code: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  expires_at: string;
}

/** One row of a job's file. */
export interface JobResult {
  /** From 1, without the header. */
  row: number;
  /** As it was sent. */
  input: Record<string, unknown>;
  decision: Decision | null;
  risk_score: number | null;
  disposable_email: boolean | null;
  mx_valid: boolean | null;
  free_provider: boolean | null;
  reasons: string[];
  log_id: string | null;
  /** Why the row has no address. */
  error: string | null;
}

export interface FieldError {
  field: string;
  message: string;
}

/** How much is left, as the headers of an answer say. */
export interface Limits {
  /** Checks a second, and how many of them are left. */
  readonly rateLimit: number | null;
  readonly rateRemaining: number | null;
  /** Checks a month, how many are left, and the seconds until the month ends. */
  readonly quotaLimit: number | null;
  readonly quotaRemaining: number | null;
  readonly quotaResetSeconds: number | null;
}

interface QuotaReached {
  /** YYYY-MM */
  month: string;
  percent: number;
  checks_used: number;
  checks_limit: number;
}

interface Told<T extends string, Data> {
  type: T;
  /** When it happened. */
  timestamp: string;
  data: Data;
}

/** The body of a verified message. `type` determines `data`. */
export type WebhookEvent =
  | Told<'quota.warning', QuotaReached>
  | Told<'quota.exceeded', QuotaReached>
  | Told<'job.completed', { job_id: string }>
  | Told<'job.paused', { job_id: string }>
  | Told<'job.failed', { job_id: string }>
  | Told<'key.created', { key_id: string }>
  | Told<'key.rolled', { key_id: string }>
  | Told<'key.revoked', { key_id: string }>
  | Told<'statement.closed', { month: string; checksum: string }>
  | Told<'invoice.issued', { number: string }>
  | Told<'plan.changed', { from_plan: string; plan: string; effective_at: string }>
  | Told<'policy.changed', { live: number | null; previous: number | null }>
  | Told<'check.blocked', { log_id: string; key_id: string }>
  | Told<'webhook.test', { endpoint_id: string }>;
