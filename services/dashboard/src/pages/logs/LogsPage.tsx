import { Button } from '@mantine/core';
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { CHECK_ADDRESS } from '@verdict/contracts/pages.js';
import { useMemo, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { addressOf } from '../../api/call.ts';
import { type Log, logsQuery } from '../../api/logs.ts';
import type { Pages } from '../../api/paged-query.ts';
import { messageOf } from '../../ui/error/message-of.ts';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { isoDay } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { useStepThrough } from '../../ui/table/use-step-through.ts';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { OUTCOME_WORDS } from '../../ui/verdict/outcome-words.ts';
import { ReviewLink } from '../review/ReviewLink.tsx';
import { FilterChips } from './FilterChips.tsx';
import { GroupedChecks } from './GroupedChecks.tsx';
import { LogFilters } from './LogFilters.tsx';
import { logsFilter, soughtIn } from './logs-filter.ts';
import type { LogsSearch } from './logs-search.ts';
import { LOGS_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/checks');

const isRefused = (error: unknown): boolean => error instanceof ApiError && error.status === 400;

export function LogsPage() {
  const search = route.useSearch();
  const { id: open } = useParams({ strict: false });
  const navigate = useNavigate();
  const [now] = useState(Date.now);
  const filter = useMemo(() => logsFilter(search, now), [search, now]);
  const { hint } = soughtIn(search.q ?? '');
  const logs = useInfiniteQuery({ ...logsQuery(filter), enabled: !hint && !search.by });
  const wrong = hint ? TEXTS.hints[hint] : isRefused(logs.error) ? messageOf(logs.error) : undefined;
  const filtered = Object.keys(filter).length > 0;
  useStepThrough(
    logs.data?.rows.map(({ id }) => id) ?? [],
    open,
    (id) => void navigate({ to: '/checks/$id', params: { id }, search, resetScroll: false, replace: true }),
  );

  return (
    <>
      <PageHeader
        title="Checks"
        intro={
          <>
            Every check of this account, newest first. <ReviewLink />
          </>
        }
      >
        <DownloadButton
          from={addressOf('GET /dashboard/logs.csv', { query: filter })}
          name={`verdict-logs-${isoDay(new Date(now))}.csv`}
          label="Export CSV"
        />
        <Button renderRoot={(props) => <Link to={CHECK_ADDRESS.to} {...props} />}>
          {CHECK_ADDRESS.label}
        </Button>
      </PageHeader>
      <LogFilters search={search} hint={wrong} />
      <FilterChips search={search} />
      {wrong ? (
        <EmptyState title="Nothing to search for" text={wrong} />
      ) : search.by ? (
        <GroupedChecks by={search.by} filter={filter} search={search} />
      ) : (
        <SingleChecks logs={logs} search={search} open={open} filtered={filtered} />
      )}
      <Outlet />
    </>
  );
}

function SingleChecks({
  logs,
  search,
  open,
  filtered,
}: {
  logs: UseInfiniteQueryResult<Pages<Log>>;
  search: LogsSearch;
  /** The check whose details are open. */
  open: string | undefined;
  filtered: boolean;
}) {
  return (
    <PagedTable
      query={logs}
      what="the checks"
      skeletonRows={14}
      counted
      label="Checks"
      columns={logColumns(search)}
      rowKey={({ id }) => id}
      {...(open ? { current: open } : {})}
      empty={
        filtered ? (
          <EmptyState title="No matching checks" text="Try fewer filters, a shorter text or a longer time.">
            <Link to="/checks">{TEXTS.clear}</Link>
          </EmptyState>
        ) : (
          <EmptyState
            title="No checks yet"
            text="Checks appear here about a second after your app gets the answer."
          >
            <Link to="/checks/new">Check an address</Link>
          </EmptyState>
        )
      }
    />
  );
}

const logColumns = (search: LogsSearch): Column<Log>[] => [
  {
    name: 'Address',
    render: ({ id, email }) => (
      <Link to="/checks/$id" params={{ id }} search={search} data-row="" resetScroll={false}>
        {email ? <bdi>{email}</bdi> : <em>erased</em>}
      </Link>
    ),
  },
  { name: TEXTS.decision, width: '106px', render: ({ decision }) => <DecisionMark decision={decision} /> },
  {
    name: 'Outcome',
    width: '92px',
    from: 'desktop',
    render: ({ outcome }) => outcome && OUTCOME_WORDS[outcome],
  },
  { name: 'Score', width: '58px', figure: true, render: ({ risk_score: score }) => score },
  {
    name: 'First reason',
    width: '22%',
    from: 'desktop',
    render: ({ reasons, policy }) => (
      <span title={reasons.join('\n')}>
        {policy?.rule ? `Rule “${policy.rule}” (version ${policy.version})` : (reasons[0] ?? '')}
      </span>
    ),
  },
  {
    name: 'IP',
    width: '150px',
    from: 'desktop',
    render: ({ ip }) => <span title={ip ?? ''}>{ip}</span>,
  },
  { name: 'Time (UTC)', time: ({ created_at: at }) => at },
];
