/** Answers of the API, written by `npm run docs:signals` from the schemas that the service answers with. */

export type Decision = 'allow' | 'challenge' | 'review' | 'block';

export interface Signals {
  /** The email uses a known disposable domain. */
  disposable_email: boolean;
  /** The domain has MX records; false if none were found. */
  mx_valid: boolean;
  /** The email uses a free consumer provider. */
  free_provider: boolean;
  /** The mailbox name is a role such as info or support. */
  role_account?: boolean;
  /** No-reply mailbox. */
  no_reply?: boolean;
  /** The domain forwards mail to a hidden address. */
  relay?: boolean;
  /** The address is a telephone number at a gateway for text messages. */
  sms_gateway?: boolean;
  /** The mail servers could not be checked. */
  mx_unknown?: boolean;
  /** The mailbox name carries a +tag. */
  plus_tag?: boolean;
  /** The provider delivers other spellings of this address to the same mailbox. */
  alias?: boolean;
  /** The address that was probably meant, when the domain looks mistyped. */
  suggestion?: string | null;
  /** The one mailbox behind all spellings of this address, for a unique column. */
  mailbox?: string;
  /** Spellings of the mailbox; mailboxes of domain, shape, IP. 16: or more; null: not counted. */
  seen?: {
    mailbox: number | null;
    domain: number | null;
    shape: number | null;
    ip: number | null;
  };
  /** Servers that take the mail of the domain; null where none were looked up. */
  mx?: {
    /** Registrable domain of the preferred server. */
    operator: string;
    /** The preferred one first. */
    hosts: string[];
  } | null;
  /** Network and origin of the IP sent. */
  ip?: {
    kind: 'relay' | 'tor' | 'vpn' | 'hosting' | null;
    country: string | null;
    asn: number | null;
    organisation: string | null;
  };
}

export interface Factor {
  /** Stable, upper snake case. */
  code: string;
  points: number;
  /** A sentence a support agent can read to a customer. */
  reason: string;
}

export interface Datasets {
  disposable_domains: {
    count: number;
    /** Date form YYYY-MM-DD. */
    version: string;
  };
  free_providers: {
    /** Date form YYYY-MM-DD. */
    version: string;
  };
  role_prefixes: {
    /** Date form YYYY-MM-DD. */
    version: string;
  };
}

export interface CheckResult {
  success: true;
  /** Log id of the check; begins with log_. */
  id: string;
  /** The address that was checked, trimmed. */
  email: string;
  ip: string | null;
  /** allow: under 30; challenge: 30 to 54; review: 55 to 79; block: 80 and above. */
  decision: Decision;
  risk_score: number;
  signals: Signals;
  reasons: string[];
  /** ISO 8601 with microseconds and a UTC offset. */
  created_at: string;
  /** The points of the factors add up exactly to risk_score. */
  breakdown?: {
    factors: Factor[];
    datasets: Datasets;
  };
}

export interface FieldError {
  field: string;
  message: string;
}

export interface StatusResult {
  success: true;
  status: 'ok';
  datasets: Datasets;
}

export interface UsageResult {
  success: true;
  plan: string;
  period: {
    start: string;
    end: string;
  };
  checks_used: number;
  checks_limit: number;
  checks_remaining: number;
  by_decision: {
    allow: number;
    challenge: number;
    review: number;
    block: number;
  };
  /** Days with checks, oldest first. */
  by_day: {
    date: string;
    checks: number;
  }[];
  resets_at: string;
  /** For a key with its own monthly quota. */
  key?: {
    checks_used: number;
    checks_limit: number;
    checks_remaining: number;
  };
}

export interface OutcomesResult {
  success: true;
  /** Outcomes that are new or differ from the one before. */
  recorded: number;
  /** Said before, or said again later in the same request. */
  unchanged: number;
  /** Items that were refused, by their position beginning with 1; the others were taken. */
  errors: {
    item: number;
    message: string;
  }[];
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

export interface Job {
  /** Begins with job_. */
  id: string;
  status: JobStatus;
  /** The key that the checks are charged to. */
  api_key_id: string;
  /** Name of the file, where one was sent. */
  name: string | null;
  format: JobFormat;
  /** The columns of the file, in their order. */
  columns: string[];
  column: string | null;
  /** Further columns that look like addresses and are not checked; name one with column. */
  other_columns: string[];
  rows: number;
  /** Addresses to check, each once. */
  distinct: number;
  /** Rows without an address; they are not checked. */
  malformed: number;
  /** Rows whose address an earlier row has; they get its verdict and do not count. */
  duplicates: number;
  /** Of the distinct addresses. */
  done: number;
  by_decision: {
    allow: number;
    challenge: number;
    review: number;
    block: number;
  };
  /** Addresses whose domain DNS could not answer for yet; asked again at the end, and counted then. */
  unknown: number;
  /** Remaining cost and time; null while the file is parsed, and when the job is done. */
  quote: {
    checks_needed: number;
    quota_left: number;
    expected_seconds: number;
  } | null;
  /** `parsing` the file, `checking`, then `asking_again` for what DNS left unknown. */
  phase: 'parsing' | 'checking' | 'asking_again' | null;
  /** How far the last phase is. */
  asking_again: {
    /** Of three at most. */
    round: number;
    /** Addresses that wait for an answer. */
    left: number;
  } | null;
  /** Facts taken into account: your lists, your policy, counted repetitions, the network of the IP. */
  considered: ('lists' | 'policy' | 'bursts' | 'ip')[];
  /** While it runs, at the pace of the last chunks. */
  seconds_left: number | null;
  paused_because: 'request' | 'quota' | 'key_inactive' | null;
  failed_because: string | null;
  /** The code that an upload with the same fault is refused with; null if the upload was interrupted. */
  failed_code: string | null;
  /** ISO 8601 with microseconds and a UTC offset. */
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** ISO 8601 with microseconds and a UTC offset. */
  expires_at: string;
}

export interface JobResult {
  /** Of the file, without its header. */
  row: number;
  /** The row as it was sent. */
  input: Record<string, unknown>;
  /** Null while the address is not done, and where there is none. */
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

interface Told<Type extends string, Data> {
  type: Type;
  /** When it happened, not when it was sent. */
  timestamp: string;
  data: Data;
}

/** The body of a verified message. `type` determines `data`. */
export type WebhookEvent =
  | Told<'quota.warning', { month: string; percent: number; checks_used: number; checks_limit: number }>
  | Told<'quota.exceeded', { month: string; percent: number; checks_used: number; checks_limit: number }>
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
  | Told<'burst.started', { burst_id: string; kind: string; value: string | null; checks: number }>
  | Told<'burst.ended', { burst_id: string; kind: string; value: string | null; checks: number }>
  | Told<'check.blocked', { log_id: string; key_id: string }>
  | Told<'check.revised', { release: string; to: Decision; log_ids: string[] }>
  | Told<'review.opened', { log_id: string; key_id: string }>
  | Told<'review.decided', { log_id: string; key_id: string; outcome: string }>
  | Told<'audit.recorded', { audit_id: string; action: string; by: string; target: string | null }>
  | Told<'webhook.test', { endpoint_id: string }>;
