import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Pages } from '../../api/paged-query.ts';
import { ErrorNotice } from '../error/ErrorNotice.tsx';
import { formatCount } from '../format/format.ts';
import { Loaded } from '../page/Loaded.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import classes from './PagedTable.module.css';

/** A listing that comes in pages; the next page comes when the end is near. A long listing says how much of it is here. */
export function PagedTable<Row>({
  query,
  what,
  skeletonRows = 8,
  empty,
  counted = false,
  ...table
}: Omit<DataTableProps<Row>, 'onEnd' | 'rows'> & {
  query: Pick<
    UseInfiniteQueryResult<Pages<Row>>,
    | 'data'
    | 'error'
    | 'failureCount'
    | 'failureReason'
    | 'refetch'
    | 'hasNextPage'
    | 'isFetching'
    | 'isFetchingNextPage'
    | 'isFetchNextPageError'
    | 'fetchNextPage'
  >;
  /** The subject, such as "the checks". */
  what: string;
  skeletonRows?: number;
  /** In place of a table without rows. */
  empty: React.ReactNode;
  counted?: boolean;
}) {
  const { hasNextPage, isFetching, fetchNextPage } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return (
    <Loaded
      query={query}
      what={what}
      rows={skeletonRows}
      isEmpty={({ rows }) => rows.length === 0}
      empty={empty}
    >
      {({ rows }) => (
        <>
          <DataTable {...table} rows={rows} onEnd={loadMore} />
          {(hasNextPage || counted) && (
            <div className={classes.foot} role="status">
              {query.isFetchNextPageError ? (
                <ErrorNotice error={query.error} onRetry={() => void fetchNextPage()} />
              ) : hasNextPage ? (
                <Button variant="default" size="xs" loading={query.isFetchingNextPage} onClick={loadMore}>
                  Load more
                </Button>
              ) : (
                'End of list.'
              )}
              {counted && <span>{formatCount(rows.length)} loaded</span>}
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}
