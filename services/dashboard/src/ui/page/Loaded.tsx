import { ErrorNotice } from '../error/ErrorNotice.tsx';
import { SkeletonRows } from './Skeletons.tsx';

/** As much of a query as its part of the page needs. */
export interface Loading<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly failureCount: number;
  readonly failureReason: unknown;
  readonly refetch: () => unknown;
}

/** The first failure may be a blip; from the second on the page says what is wrong while the query retries. */
export const problemOf = ({ error, failureCount, failureReason }: Loading<unknown>): unknown =>
  error ?? (failureCount > 1 ? failureReason : null);

/** A part of a page that waits for a query: a skeleton, the error, or the part. */
export function Loaded<Data>({
  query,
  what,
  rows = 8,
  skeleton = <SkeletonRows rows={rows} label={`Loading ${what}`} />,
  empty,
  isEmpty,
  children,
}: {
  query: Loading<Data>;
  /** The subject, such as "the keys". */
  what: string;
  /** Rows of the skeleton. */
  rows?: number;
  skeleton?: React.ReactNode;
  /** In place of data without rows. */
  empty?: React.ReactNode;
  isEmpty?: (data: Data) => boolean;
  children: (data: Data) => React.ReactNode;
}) {
  const problem = problemOf(query);
  if (query.data === undefined && problem) {
    return (
      <ErrorNotice title={`Could not load ${what}`} error={problem} onRetry={() => void query.refetch()} />
    );
  }
  if (query.data === undefined) return skeleton;
  return (
    <>
      {query.error ? <ErrorNotice error={query.error} onRetry={() => void query.refetch()} /> : null}
      {isEmpty?.(query.data) ? empty : children(query.data)}
    </>
  );
}
