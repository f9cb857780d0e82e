import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type BulkJob, jobsQuery } from '../../api/jobs.ts';
import { formatCount, formatShare } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/DataTable.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
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
        <PagedTable
          query={jobs}
          texts={{ failed: TEXTS.jobsFailed, loading: TEXTS.loading }}
          skeletonRows={4}
          label={TEXTS.jobs}
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          empty={<EmptyState title={TEXTS.empty} text={TEXTS.emptyText} />}
        />
      </Section>
    </>
  );
}
