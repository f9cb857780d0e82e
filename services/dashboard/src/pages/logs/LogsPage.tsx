import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { addressOf } from '../../api/call.ts';
import { type Log, logsQuery } from '../../api/logs.ts';
import { messageOf } from '../../ui/error/message-of.ts';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { isoDay } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import type { Column } from '../../ui/table/DataTable.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { useStepThrough } from '../../ui/table/use-step-through.ts';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { LogFilters } from './LogFilters.tsx';
import { logsFilter } from './logs-filter.ts';
import { LOGS_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/logs');

const isRefused = (error: unknown): boolean => error instanceof ApiError && error.status === 400;

export function LogsPage() {
  const search = route.useSearch();
  const { id: open } = useParams({ strict: false });
  const navigate = useNavigate();
  const [now] = useState(Date.now);
  const filter = useMemo(() => logsFilter(search, now), [search, now]);
  const logs = useInfiniteQuery(logsQuery(filter));
  // A filter that the API refuses is not a failed load: the rows stay, and the field says why.
  const shown = useRef(logs.data);
  if (logs.data) shown.current = logs.data;
  const refused = isRefused(logs.error);
  const data = refused ? shown.current : logs.data;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.logs) ?? [], [data]);
  const filtered = Object.keys(filter).length > 0;
  useStepThrough(
    rows.map(({ id }) => id),
    open,
    (id) => void navigate({ to: '/logs/$id', params: { id }, search, resetScroll: false, replace: true }),
  );

  const columns: Column<Log>[] = [
    {
      name: TEXTS.address,
      render: ({ id, email }) => (
        <Link to="/logs/$id" params={{ id }} search={search} data-row="" resetScroll={false}>
          {email ? <bdi>{email}</bdi> : <em>{TEXTS.erased}</em>}
        </Link>
      ),
    },
    { name: TEXTS.decision, width: '106px', render: ({ decision }) => <DecisionMark decision={decision} /> },
    { name: TEXTS.score, width: '58px', figure: true, render: ({ risk_score: score }) => score },
    {
      name: TEXTS.reason,
      width: '30%',
      from: 'desktop',
      render: ({ reasons, policy }) => (
        <span title={reasons.join('\n')}>
          {policy?.rule ? TEXTS.rule(policy.rule, policy.version) : (reasons[0] ?? '')}
        </span>
      ),
    },
    {
      name: TEXTS.ip,
      width: '150px',
      from: 'desktop',
      render: ({ ip }) => <span title={ip ?? ''}>{ip}</span>,
    },
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
      <PageHeader
        title={TEXTS.title}
        intro={
          <>
            {TEXTS.intro} <Link to="/refused">{TEXTS.refused}</Link>
          </>
        }
      >
        <DownloadButton
          from={addressOf('GET /dashboard/logs.csv', { query: filter })}
          name={`verdict-logs-${isoDay(new Date(now))}.csv`}
          label={TEXTS.export}
        />
      </PageHeader>
      <LogFilters search={search} refused={refused ? messageOf(logs.error) : null} />
      {search.rule && <p className={panel.note}>{TEXTS.byRule(search.rule)}</p>}
      {search.ids && <p className={panel.note}>{TEXTS.chosen(search.ids.split(',').length)}</p>}
      <PagedTable
        query={refused ? { ...logs, data, error: null, isFetchNextPageError: false } : logs}
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
