import type { MonthStatus } from './month.js';

/** One month for the people who run the business. Amounts in minor units. */
export interface MonthReport {
  /** YYYY-MM */
  readonly month: string;
  readonly status: MonthStatus | 'unknown';
  readonly currency: string;
  readonly totals: {
    /** Accounts with a plan in the month. */
    readonly accounts: number;
    /** Those that made checks. */
    readonly active: number;
    readonly checks: number;
    readonly subtotal: number;
    readonly tax: number;
    readonly total: number;
    readonly documents: number;
    /** Credit notes for single invoices of the month, and what they take back before tax (below zero). */
    readonly corrections: number;
    readonly corrected: number;
  };
  /** The same of the month before; null when there is none. */
  readonly before: { readonly active: number; readonly checks: number; readonly subtotal: number } | null;
  readonly by_decision: readonly { readonly decision: string; readonly checks: number }[];
  readonly top: readonly {
    readonly account_id: string;
    readonly name: string;
    readonly plan: string;
    readonly checks: number;
    readonly subtotal: number;
  }[];
  /** An exception to review. */
  readonly exceptions: readonly {
    readonly account_id: string;
    readonly name: string;
    readonly what: string;
  }[];
}
