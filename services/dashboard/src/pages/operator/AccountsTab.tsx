import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type OperatorAccount, operatorAccountsQuery } from '../../api/operator.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { formatCount } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import panel from '../../ui/page/Panel.module.css';
import { SearchField } from '../../ui/page/SearchField.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { ACCOUNTS_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/operator/accounts');

const COLUMNS: readonly Column<OperatorAccount>[] = [
  {
    name: 'Account',
    render: ({ id, name }) => (
      <Link to="/operator/accounts/$id" params={{ id }} data-row="">
        {name}
      </Link>
    ),
  },
  { name: 'Id', width: '142px', from: 'desktop', render: ({ id }) => <CopyId id={id} /> },
  {
    name: 'Plan',
    width: '172px',
    phoneWidth: '76px',
    render: ({ plan, requested_plan: asked }) => (asked ? `${plan}, requests ${asked}` : plan),
  },
  { name: 'State', width: '84px', from: 'desktop', render: ({ state }) => TEXTS.states[state] },
  {
    name: 'Used this month',
    width: '126px',
    phoneWidth: '116px',
    figure: true,
    render: ({ checks_used: used }) => formatCount(used),
  },
  {
    name: 'Included',
    width: '104px',
    figure: true,
    from: 'wide',
    render: ({ checks_limit: limit }) => formatCount(limit),
  },
  { name: 'Keys', width: '58px', figure: true, from: 'wide', render: ({ keys }) => keys },
  { name: 'Last used (UTC)', time: ({ last_used_at: at }) => at, never: 'never' },
];

export function AccountsTab() {
  const { q = '' } = route.useSearch();
  const navigate = useNavigate();
  const accounts = useInfiniteQuery(operatorAccountsQuery(q));
  return (
    <>
      <div className={panel.filters}>
        <SearchField
          label="Account id or name, or a whole login address"
          sought={q}
          width={420}
          onSeek={(text) =>
            void navigate({ to: '/operator/accounts', search: text ? { q: text } : {}, replace: true })
          }
        />
      </div>
      <PagedTable
        query={accounts}
        what="the accounts"
        label="Accounts"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title="No matching account"
            text="Search by the start of an id or name, or by a whole login address."
          />
        }
      />
    </>
  );
}
