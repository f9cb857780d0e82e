import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type BulkJob, jobsQuery } from '../../api/jobs.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { formatCount, formatShare } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Section } from '../../ui/Section.tsx';
import { SkeletonRows } from '../../ui/Skeletons.tsx';
import { Time } from '../../ui/Time.tsx';
import { FileDrop } from './FileDrop.tsx';
import { JobStatusMark } from './JobStatusMark.tsx';
import { BULK_TEXTS as TEXTS } from './texts.ts';

const COLUMNS: Column<BulkJob>[] = [
  {
    name: TEXTS.file,
    render: ({ id, name }) => (
      <Link to="/bulk/$id" params={{ id }} data-row="">
        {name ?? id}
      </Link>
    ),
  },
  { name: TEXTS.status, width: '116px', render: ({ status }) => <JobStatusMark status={status} /> },
  { name: TEXTS.rows, width: '110px', figure: true, from: 'tablet', render: ({ rows }) => formatCount(rows) },
  {
    name: TEXTS.done,
    width: '84px',
    figure: true,
    render: ({ done, distinct }) => formatShare(done, distinct),
  },
  {
    name: TEXTS.created,
    width: '172px',
    figure: true,
    from: 'tablet',
    render: ({ created_at: at }) => <Time at={at} relative />,
  },
];

export function BulkPage() {
  const jobs = useInfiniteQuery(jobsQuery);
  const rows = jobs.data?.pages.flatMap((page) => page.jobs) ?? [];
  return (
    <>
      <PageHeader title={TEXTS.title} intro={TEXTS.intro} />
      <FileDrop />
      <Section title={TEXTS.jobs} note={TEXTS.jobsNote}>
        {jobs.error && rows.length === 0 ? (
          <ErrorNotice title={TEXTS.jobsFailed} error={jobs.error} onRetry={() => void jobs.refetch()} />
        ) : !jobs.data ? (
          <SkeletonRows rows={4} label={TEXTS.loading} />
        ) : rows.length === 0 ? (
          <EmptyState title={TEXTS.empty} text={TEXTS.emptyText} />
        ) : (
          <>
            <DataTable label={TEXTS.jobs} columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />
            {jobs.hasNextPage && (
              <Button
                variant="default"
                size="xs"
                mt={10}
                onClick={() => void jobs.fetchNextPage()}
                loading={jobs.isFetchingNextPage}
              >
                {TEXTS.more}
              </Button>
            )}
          </>
        )}
      </Section>
    </>
  );
}
