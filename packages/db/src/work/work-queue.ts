import type { Prisma } from '../generated/client.js';

/** A table whose rows are work: Postgres alone says who holds a row, and until when. */
export interface WorkQueue {
  readonly table: string;
  /** Column that counts the leases of a row. Only the holder of the last one may change it. */
  readonly lease: string;
  /** Column with the end of the lease, or of the pause before the next try. */
  readonly until: string;
  /** Which rows of the table, called `w`, are to be done. */
  readonly waits: Prisma.Sql;
  /** Which of them comes first. */
  readonly order: Prisma.Sql;
  /** How long a holder may be silent. */
  readonly leaseSeconds: number;
  /** The longest pause before the next try. */
  readonly pauseSecondsMax: number;
  /** Column that counts tries since the last progress, and how many give a row up; undefined where something else ends it. */
  readonly tries?: { readonly column: string; readonly max: number };
  /** Rows that a process works on concurrently. */
  readonly places: number;
}

/** A row in the hands of one process. */
export interface Leased {
  readonly id: string;
  readonly lease: number;
  /** Tries since the last progress, this one included; for a queue with `tries`. */
  readonly tries?: number;
}
