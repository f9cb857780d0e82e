import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ErrorNotice } from '../error/ErrorNotice.tsx';
import { formatCount } from '../format/format.ts';
import { SkeletonRows } from '../page/Skeletons.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import classes from './PagedTable.module.css';

const TEXTS = {
  more: 'Load more',
  end: 'End of list.',
  shown: (count: string) => `${count} loaded`,
};

/**
 * A listing that comes in pages: a skeleton, what went wrong, what to do when there is nothing, and the rows; the next page
 * comes when the end is near. A long listing says how much of it is here.
 */
export function PagedTable<Row>({
  query,
  texts,
  skeletonRows,
  empty,
  counted = false,
  ...table
}: Omit<DataTableProps<Row>, 'onEnd'> & {
  query: Pick<
    UseInfiniteQueryResult<unknown>,
    | 'data'
    | 'error'
    | 'refetch'
    | 'hasNextPage'
    | 'isFetching'
    | 'isFetchingNextPage'
    | 'isFetchNextPageError'
    | 'fetchNextPage'
  >;
  texts: { readonly failed: string; readonly loading: string };
  skeletonRows?: number;
  /** In place of a table without rows. */
  empty: React.ReactNode;
  counted?: boolean;
}) {
  const { hasNextPage, isFetching, fetchNextPage } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const { rows } = table;
  if (query.error && rows.length === 0) {
    return <ErrorNotice title={texts.failed} error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) {
    return <SkeletonRows {...(skeletonRows ? { rows: skeletonRows } : {})} label={texts.loading} />;
  }
  if (rows.length === 0) return empty;
  return (
    <>
      <DataTable {...table} onEnd={loadMore} />
      {(hasNextPage || counted) && (
        <div className={classes.foot} role="status">
          {query.isFetchNextPageError ? (
            <ErrorNotice error={query.error} onRetry={() => void fetchNextPage()} />
          ) : hasNextPage ? (
            <Button variant="default" size="xs" loading={query.isFetchingNextPage} onClick={loadMore}>
              {TEXTS.more}
            </Button>
          ) : (
            TEXTS.end
          )}
          {counted && <span>{TEXTS.shown(formatCount(rows.length))}</span>}
        </div>
      )}
    </>
  );
}
