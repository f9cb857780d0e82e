import type { FileLayout } from '@verdict/db/bulk/bulk-job-row.js';

/** One row of a file. */
export interface FileRow {
  /** As it was sent: JSON on one line, an array of cells or an object. */
  readonly cells: string;
  /** The text in the address column; undefined if there is none. */
  readonly email: string | undefined;
  /** Why the row as a whole cannot be read. */
  readonly fault?: string;
}

/** A file that is being read. */
export interface FileRows {
  readonly rows: AsyncGenerator<FileRow>;
  /** Known when the rows have been read to their end. */
  layout(): Omit<FileLayout, 'bom'>;
}
