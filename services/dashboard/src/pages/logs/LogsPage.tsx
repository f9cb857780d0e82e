import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Log, logsQuery } from '../../api/logs.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { DecisionMark } from '../../ui/DecisionMark.tsx';
import { DownloadButton } from '../../ui/DownloadButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { isoDay } from '../../ui/format.ts';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Time } from '../../ui/Time.tsx';
import { LogFilters } from './LogFilters.tsx';
import { logsFilter } from './logs-filter.ts';
import { LOGS_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/logs');

export function LogsPage() {
  const search = route.useSearch();
  const { id: open } = useParams({ strict: false });
  const [now] = useState(Date.now);
  const filter = useMemo(() => logsFilter(search, now), [search, now]);
  const logs = useInfiniteQuery(logsQuery(filter));
  const rows = useMemo(() => logs.data?.pages.flatMap((page) => page.logs) ?? [], [logs.data]);
  const filtered = Object.keys(filter).length > 0;

  const columns: Column<Log>[] = [
    {
      name: TEXTS.address,
      render: ({ id, email }) => (
        <Link to="/logs/$id" params={{ id }} search={search} data-row="" resetScroll={false}>
          {email ?? <em>{TEXTS.erased}</em>}
        </Link>
      ),
    },
    { name: TEXTS.decision, width: '106px', render: ({ decision }) => <DecisionMark decision={decision} /> },
    { name: TEXTS.score, width: '58px', figure: true, render: ({ risk_score: score }) => score },
    {
      name: TEXTS.reason,
      width: '30%',
      from: 'desktop',
      render: ({ reasons }) => <span title={reasons.join('\n')}>{reasons[0] ?? ''}</span>,
    },
    { name: TEXTS.ip, width: '126px', from: 'desktop', render: ({ ip }) => ip ?? '' },
    {
      name: TEXTS.when,
      width: '172px',
      figure: true,
      from: 'tablet',
      render: ({ created_at: at }) => <Time at={at} relative />,
    },
  ];

  return (
    <>
      <PageHeader title={TEXTS.title} intro={TEXTS.intro}>
        <DownloadButton
          path="/dashboard/logs.csv"
          query={filter}
          name={`verdict-logs-${isoDay(new Date(now))}.csv`}
          label={TEXTS.export}
        />
      </PageHeader>
      <LogFilters search={search} />
      <PagedTable
        query={logs}
        texts={TEXTS}
        skeletonRows={14}
        counted
        label={TEXTS.title}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        {...(open ? { current: open } : {})}
        empty={
          filtered ? (
            <EmptyState title={TEXTS.noMatch} text={TEXTS.noMatchText}>
              <Link to="/logs">{TEXTS.clear}</Link>
            </EmptyState>
          ) : (
            <EmptyState title={TEXTS.empty} text={TEXTS.emptyText}>
              <Link to="/playground">{TEXTS.toPlayground}</Link>
            </EmptyState>
          )
        }
      />
      <Outlet />
    </>
  );
}
