import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { GroupsReply, LogsFilter } from '@verdict/contracts/dashboard/logs-api.js';
import { GROUPS_MAX, type Grouping, stepOfPeriod } from '@verdict/domain/check-groups.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import { useState } from 'react';
import { groupsQuery, namedLogsQuery } from '../../api/logs.ts';
import { changed, type FilterChange } from '../../shell/search-params.ts';
import { DecisionChart } from '../../ui/chart/DecisionChart.tsx';
import { formatCount, formatDay, formatLongDay } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import panel from '../../ui/page/Panel.module.css';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { hoursOf } from './hours-of.ts';
import type { LogsSearch } from './logs-search.ts';
import { searchOfGroup } from './search-of-group.ts';
import { LOGS_TEXTS as TEXTS } from './texts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The period where none is chosen. */
const DAYS = 30;

type Group = GroupsReply['groups'][number];

/** The checks that match, by hour as a chart and by what they have in common as a table. A row leads to its checks. */
export function GroupedChecks({
  by,
  filter,
  search,
}: {
  by: Grouping;
  filter: LogsFilter;
  search: LogsSearch;
}) {
  const [now] = useState(() => Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS);
  const { to = new Date(now).toISOString() } = filter;
  const { from = new Date(Date.parse(to) - DAYS * DAY_MS).toISOString() } = filter;
  const step = stepOfPeriod(from, to);
  const hours = useQuery(groupsQuery('hour', { ...filter, from, to }));
  const groups = useQuery(groupsQuery(by, { ...filter, from, to }));
  return (
    <>
      <Loaded query={hours} what="the chart" rows={6}>
        {(data) => (
          <div style={{ marginBottom: 16 }}>
            <DecisionChart
              label={step === 'hour' ? 'Checks by hour' : 'Checks by day'}
              points={hoursOf(data.groups, { from, to, step }).map(({ at, counts }) => ({
                ...namesOf(at, step),
                counts,
              }))}
            />
          </div>
        )}
      </Loaded>
      <Loaded query={groups} what="the groups" rows={10}>
        {(data) =>
          data.groups.length === 0 ? (
            <EmptyState
              title={`No checks by ${TEXTS.groupings[by].toLowerCase()}`}
              text="Try fewer filters or a longer time."
            />
          ) : (
            <Groups by={by} step={step} data={data} search={search} />
          )
        }
      </Loaded>
    </>
  );
}

function Groups({
  by,
  step,
  data,
  search,
}: {
  by: Grouping;
  step: 'hour' | 'day';
  data: GroupsReply;
  search: LogsSearch;
}) {
  const { groups, since, exact } = data;
  const mailboxes = useQuery({
    ...namedLogsQuery(groups.slice(0, NAMED_MAX).map(({ value }) => value)),
    enabled: by === 'mailbox' && groups.length > 0,
  });
  const emails = new Map(mailboxes.data?.logs.map(({ id, email }) => [id, email ?? 'erased']));
  const nameOf = (value: string): string =>
    by === 'hour'
      ? namesOf(value, step).title
      : by === 'mailbox'
        ? (emails.get(value) ?? 'One mailbox')
        : value;
  const columns: Column<Group>[] = [
    {
      name: by === 'hour' && step === 'day' ? 'Day' : TEXTS.groupings[by],
      render: ({ value }) => (
        <Link
          to="/checks"
          search={changed(search, { by: undefined, ...searchOf(by, value, step) })}
          data-row=""
        >
          <bdi>{nameOf(value)}</bdi>
        </Link>
      ),
    },
    { name: 'Checks', width: '90px', figure: true, render: (group) => formatCount(checksOf(group)) },
    ...DECISIONS.map(
      (decision): Column<Group> => ({
        name: decision,
        width: '90px',
        figure: true,
        from: 'tablet',
        render: (group) => formatCount(group[decision]),
      }),
    ),
  ];
  return (
    <>
      <DataTable
        label={`Checks by ${TEXTS.groupings[by].toLowerCase()}`}
        rows={by === 'hour' ? groups : [...groups]}
        rowKey={({ value }) => value}
        columns={columns}
      />
      <p className={panel.note}>
        {formatCount(checksOf({ value: '', ...data.total }))} checks match.
        {groups.length === GROUPS_MAX && ` The ${GROUPS_MAX} largest groups are shown.`}
        {since &&
          ` Only the newest are grouped, those since ${formatLongDay(since)}, ${since.slice(11, 16)} UTC.`}
        {!exact && ' Rare values of busy hours are left out.'}
      </p>
    </>
  );
}

/** Mailboxes whose addresses are shown; the API names fifty checks at a time. */
const NAMED_MAX = 50;

const checksOf = (group: Group): number => DECISIONS.reduce((sum, decision) => sum + group[decision], 0);

function searchOf(by: Grouping, value: string, step: 'hour' | 'day'): FilterChange<LogsSearch> {
  if (by !== 'hour') return searchOfGroup(by, value);
  const at = value.slice(0, step === 'day' ? 'YYYY-MM-DD'.length : 'YYYY-MM-DDTHH'.length);
  return { range: undefined, from: at, to: at };
}

function namesOf(at: string, step: 'hour' | 'day'): { title: string; label: string } {
  if (step === 'day') return { title: formatLongDay(at), label: formatDay(at) };
  const hour = at.slice(11, 16);
  return { title: `${formatLongDay(at)}, ${hour}`, label: hour === '00:00' ? formatDay(at) : hour };
}
