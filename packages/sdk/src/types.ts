import type { CheckResult, FieldError } from './answers.js';

export type Expansion = 'signals' | 'breakdown';

export interface CheckInput {
  readonly email: string;
  readonly ip?: string | null | undefined;
  /** Your label for the check, such as a form or a campaign, never a person: at most 64 letters, digits, spaces and `. _ : / -`. */
  readonly tag?: string | null | undefined;
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

/** The outcome of one check by its id, or of an address. */
export type OutcomeItem = ({ readonly id: string } | { readonly email: string }) & {
  readonly outcome: 'genuine' | 'abuse' | 'bounced' | 'complained';
  /** Why, at most 200 characters. */
  readonly note?: string | undefined;
};

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
