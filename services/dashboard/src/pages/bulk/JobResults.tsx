import { SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Decision } from '@verdict/contracts/decision.js';
import { useMemo } from 'react';
import { type BulkJob, type JobResult, jobResultsQuery } from '../../api/jobs.ts';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { formatCount } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/DataTable.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { DECISIONS } from '../../ui/verdict/decisions.ts';
import { JOB_TEXTS as TEXTS } from './texts.ts';

const columnsOf = (job: BulkJob): Column<JobResult>[] => [
  {
    name: TEXTS.row,
    width: '84px',
    figure: true,
    from: 'tablet',
    render: ({ row }) => formatCount(row),
  },
  {
    name: TEXTS.address,
    render: ({ input, log_id: id }) => {
      const address = String(input[job.column ?? ''] ?? Object.values(input)[0] ?? '');
      return id ? (
        <Link to="/logs/$id" params={{ id }} data-row="" title={address}>
          {address}
        </Link>
      ) : (
        <span title={address}>{address}</span>
      );
    },
  },
  {
    name: TEXTS.decision,
    width: '116px',
    render: ({ decision, error }) =>
      decision ? <DecisionMark decision={decision} /> : error ? '–' : TEXTS.pending,
  },
  {
    name: TEXTS.score,
    width: '64px',
    figure: true,
    from: 'tablet',
    render: ({ risk_score: score }) => score ?? '–',
  },
  {
    name: TEXTS.reasons,
    width: '40%',
    from: 'tablet',
    render: ({ reasons, error }) => {
      const text = error ?? reasons.join('; ');
      return <span title={text}>{text}</span>;
    },
  },
];

/** Every row of the file in its order, filtered by decision; the filter is in the address and in the download. */
export function JobResults({ job, decision }: { job: BulkJob; decision: Decision | undefined }) {
  const navigate = useNavigate();
  const results = useInfiniteQuery(jobResultsQuery(job.id, decision));
  const rows = useMemo(() => results.data?.pages.flatMap((page) => page.results) ?? [], [results.data]);
  const columns = columnsOf(job);
  const base = (job.name ?? job.id).replace(/\.\w+$/, '');
  return (
    <Section
      title={TEXTS.results}
      note={TEXTS.resultsNote}
      aside={
        <DownloadButton
          path={`/jobs/${job.id}/results.csv`}
          {...(decision ? { query: { decision } } : {})}
          name={`${base}-${decision ?? 'results'}.csv`}
          label={TEXTS.download}
        />
      }
    >
      <div className={panel.filters}>
        <SegmentedControl
          size="xs"
          aria-label={TEXTS.which}
          value={decision ?? ''}
          onChange={(value) =>
            void navigate({
              to: '/bulk/$id',
              params: { id: job.id },
              search: value ? { decision: value as Decision } : {},
              replace: true,
            })
          }
          data={[{ value: '', label: TEXTS.all }, ...DECISIONS.map((one) => ({ value: one, label: one }))]}
        />
      </div>
      <PagedTable
        query={results}
        texts={{ failed: TEXTS.resultsFailed, loading: TEXTS.resultsLoading }}
        label={TEXTS.results}
        columns={columns}
        rows={rows}
        rowKey={({ row }) => String(row)}
        empty={<EmptyState title={TEXTS.noResults} text={TEXTS.noResultsText} />}
      />
    </Section>
  );
}
