import {
  FORWARDED_BODY_BYTES_MAX,
  HOOK_BODY_BYTES_MAX,
  IMPORT_BYTES_MAX,
  POLICY_BYTES_MAX,
  UPLOAD_BYTES_MAX,
} from '../api-paths.js';
import { CHECK_BODY_BYTES_MAX } from '../check-api.js';
import { BATCH_ITEMS_MAX, CHECK_BATCH_BODY_BYTES_MAX } from '../check-batch-api.js';
import { SUMS_MAX } from '../dashboard/usage-api.js';

/** The most that one request may take of what everybody shares. */
export interface Takes {
  /** Bytes of its body; a larger one is a 413. */
  readonly bytesIn: number;
  /** Bytes of an answer that is held in memory; a larger one is a stream. */
  readonly bytesOut: number;
  /** Items of any list in its answer. */
  readonly rows: number;
  /** Milliseconds of a service's event loop; beyond TURN_MS a request waits for its account's turn. */
  readonly loopMs: number;
  /** Used up by a loop of such requests. */
  readonly allowance: Allowance;
}

/**
 * Checks of the key; looks of the key; unmetered verdicts of the account's day; changes of the account's hour; attempts of an
 * address and a user; requests of an address, which all others count too.
 */
export type Allowance = 'checks' | 'looks' | 'verdicts' | 'changes' | 'attempts' | 'requests';

export const TURN_MS = 50;

const KB = 1024;
const ONE = { bytesIn: FORWARDED_BODY_BYTES_MAX, bytesOut: 128 * KB, rows: 500, loopMs: 25 };
/** A page has 100 rows and 256 KB; its cursor and totals come on top. */
const PAGE = { ...ONE, bytesOut: 272 * KB, rows: 100, loopMs: TURN_MS };

/** The kinds of routes, by what they take. */
export const TAKES = {
  /** One thing, or a list that is always short. */
  read: { ...ONE, allowance: 'requests' },
  /** Keys, which may name fifty networks each. */
  keys: { ...ONE, bytesOut: 384 * KB, rows: 105, allowance: 'requests' },
  page: { ...PAGE, allowance: 'requests' },
  /** Rows of files, which are wider and parsed. */
  widePage: { ...PAGE, loopMs: 100, allowance: 'requests' },
  /** Sums of usage, which are narrow and many. */
  sums: { ...ONE, bytesOut: KB * KB, rows: SUMS_MAX, loopMs: TURN_MS, allowance: 'requests' },
  /** A stream; each page after the first is read in the account's turn. */
  download: { ...ONE, loopMs: TURN_MS, allowance: 'requests' },
  /** A download of what is kept of people. The audit log has a record of each. */
  copy: { ...ONE, loopMs: TURN_MS, allowance: 'changes' },
  /** Deletions and acts of operators, which no allowance may stop. */
  act: { ...ONE, allowance: 'requests' },
  change: { ...ONE, allowance: 'changes' },
  policy: { ...ONE, bytesIn: POLICY_BYTES_MAX, allowance: 'changes' },
  imported: {
    bytesIn: IMPORT_BYTES_MAX,
    bytesOut: 4 * KB * KB,
    rows: 10_000,
    loopMs: 1_000,
    allowance: 'changes',
  },
  upload: { ...ONE, bytesIn: UPLOAD_BYTES_MAX, loopMs: TURN_MS, allowance: 'changes' },
  attempt: { ...ONE, allowance: 'attempts' },
  tried: { ...ONE, bytesIn: POLICY_BYTES_MAX, allowance: 'verdicts' },
  evidence: { ...ONE, allowance: 'verdicts' },
  look: { ...ONE, allowance: 'looks' },
  check: { ...ONE, bytesIn: CHECK_BODY_BYTES_MAX, allowance: 'checks' },
  hook: { ...ONE, bytesIn: HOOK_BODY_BYTES_MAX, allowance: 'checks' },
  batch: {
    bytesIn: CHECK_BATCH_BODY_BYTES_MAX,
    bytesOut: 4 * KB * KB,
    rows: BATCH_ITEMS_MAX,
    loopMs: TURN_MS,
    allowance: 'checks',
  },
} as const satisfies Record<string, Takes>;
