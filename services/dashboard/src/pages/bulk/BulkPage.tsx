import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type BulkJob, jobsQuery } from '../../api/jobs.ts';
import { formatCount, formatShare } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { FileDrop } from './FileDrop.tsx';
import { JobStatusMark } from './JobStatusMark.tsx';

const COLUMNS: Column<BulkJob>[] = [
  {
    name: 'File',
    render: ({ id, name }) => (
      <Link to="/bulk/$id" params={{ id }} data-row="">
        {name ?? id}
      </Link>
    ),
  },
  { name: 'Status', width: '116px', render: ({ status }) => <JobStatusMark status={status} /> },
  { name: 'Rows', width: '110px', figure: true, from: 'tablet', render: ({ rows }) => formatCount(rows) },
  {
    name: 'Done',
    width: '84px',
    figure: true,
    render: ({ done, distinct }) => formatShare(done, distinct),
  },
  { name: 'Uploaded (UTC)', time: ({ created_at: at }) => at },
];

export function BulkPage() {
  const jobs = useInfiniteQuery(jobsQuery);
  return (
    <>
      <PageHeader
        title="Bulk"
        intro="Check a whole file. You see the cost before it starts, and it keeps running if you close this page."
      />
      <FileDrop />
      <Section title="Jobs" note="Rows and results are kept for 30 days.">
        <PagedTable
          query={jobs}
          what="the jobs"
          skeletonRows={4}
          label="Jobs"
          columns={COLUMNS}
          rowKey={({ id }) => id}
          empty={
            <EmptyState
              title="No files yet"
              text="Each distinct address counts as one check. Duplicate and invalid rows are free."
            />
          }
        />
      </Section>
    </>
  );
}
