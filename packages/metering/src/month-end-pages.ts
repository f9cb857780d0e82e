/** Accounts that are stated, and invoices that are issued, in one commit. */
export const ACCOUNTS_PER_PAGE = 500;

/** How far a closing or an issuing is. */
export interface Progress {
  readonly what: 'statements' | 'invoices';
  /** Null for invoices, which are of every closed month. */
  readonly month: string | null;
  readonly done: number;
  /** At most this many. */
  readonly of: number;
}

export type OnProgress = (progress: Progress) => void;
