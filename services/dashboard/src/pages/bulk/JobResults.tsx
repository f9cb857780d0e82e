import { SegmentedControl } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { DECISIONS } from '@verdict/domain/decision.js';
import { addressOf } from '../../api/call.ts';
import {
  type BulkJob,
  type JobResult,
  jobPreviewQuery,
  jobResultsQuery,
  type ResultFilter,
  type ResultKind,
} from '../../api/jobs.ts';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { formatCount } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { JOB_TEXTS as TEXTS } from './texts.ts';

const columnsOf = (job: BulkJob): Column<JobResult>[] => [
  {
    name: 'Row',
    width: '84px',
    figure: true,
    from: 'tablet',
    render: ({ row }) => formatCount(row),
  },
  {
    name: 'Address',
    render: ({ input, log_id: id }) => {
      const address = String(input[job.column ?? ''] ?? Object.values(input)[0] ?? '');
      return id ? (
        <Link to="/checks/$id" params={{ id }} data-row="" title={address}>
          {address}
        </Link>
      ) : (
        <span title={address}>{address}</span>
      );
    },
  },
  {
    name: 'Decision',
    width: '116px',
    render: ({ decision, error }) =>
      decision ? <DecisionMark decision={decision} /> : error ? '–' : 'pending',
  },
  {
    name: 'Score',
    width: '64px',
    figure: true,
    from: 'tablet',
    render: ({ risk_score: score }) => score ?? '–',
  },
  {
    name: 'Reasons',
    width: '40%',
    from: 'tablet',
    render: ({ reasons, error }) => {
      const text = error ?? reasons.join('; ');
      return <span title={text}>{text}</span>;
    },
  },
];

const KINDS: readonly ResultKind[] = ['invalid', 'duplicate'];

/** Every row of the file in its order; the filter is in the address and in the download. */
export function JobResults({ job, filter }: { job: BulkJob; filter: ResultFilter }) {
  const navigate = useNavigate();
  const results = useInfiniteQuery(jobResultsQuery(job, filter));
  const columns = columnsOf(job);
  const base = (job.name ?? job.id).replace(/\.\w+$/, '');
  const shown = filter.decision ?? filter.kind ?? '';
  return (
    <Section
      title="Results"
      note="In file order, updated while the job runs."
      aside={
        <DownloadButton
          from={addressOf('GET /jobs/:id/results.csv', { params: { id: job.id }, query: filter })}
          name={`${base}-${shown || 'results'}.csv`}
          label="Download CSV"
        />
      }
    >
      <div className={panel.filters}>
        <SegmentedControl
          size="xs"
          aria-label="Rows to show"
          value={shown}
          onChange={(value) =>
            void navigate({
              to: '/bulk/$id',
              params: { id: job.id },
              search: filterOf(value),
              resetScroll: false,
            })
          }
          data={[
            { value: '', label: 'All' },
            ...DECISIONS.map((one) => ({ value: one, label: one })),
            ...KINDS.map((one) => ({ value: one, label: TEXTS.kinds[one] })),
          ]}
        />
      </div>
      <PagedTable
        query={results}
        what="the results"
        label="Results"
        columns={columns}
        rowKey={({ row }) => String(row)}
        empty={<EmptyState title="No matching rows" text="Rows appear here as the job checks them." />}
      />
    </Section>
  );
}

function filterOf(value: string): ResultFilter {
  const decision = DECISIONS.find((one) => one === value);
  const kind = KINDS.find((one) => one === value);
  return { ...(decision ? { decision } : {}), ...(kind ? { kind } : {}) };
}

/** The first rows of a file that waits for its start, as the server read them. */
export function JobPreview({ job }: { job: BulkJob }) {
  const preview = useQuery(jobPreviewQuery(job.id));
  if (!preview.data) return null;
  const columns: Column<JobResult>[] = job.columns.slice(0, PREVIEW_COLUMNS).map((name, index) => ({
    name: name || `#${index + 1}`,
    ...(index === 0 || name === job.column ? {} : { from: 'tablet' as const }),
    render: ({ input }) => String(input[name] ?? ''),
  }));
  return (
    <Section
      title="Preview"
      note={`The first five rows. Addresses come from the column ${job.column ?? ''}.`}
    >
      <DataTable
        label="Preview"
        columns={columns}
        rows={preview.data.results}
        rowKey={({ row }) => String(row)}
      />
    </Section>
  );
}

const PREVIEW_COLUMNS = 6;
