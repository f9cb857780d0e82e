import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type OperatorAccount, operatorAccountsQuery } from '../../api/operator.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { formatCount } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import panel from '../../ui/page/Panel.module.css';
import type { Column } from '../../ui/table/DataTable.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { OPERATOR_TEXTS, ACCOUNTS_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/operator/accounts');
const TYPING_MS = 300;

const COLUMNS: readonly Column<OperatorAccount>[] = [
  {
    name: TEXTS.name,
    render: ({ id, name }) => (
      <Link to="/operator/accounts/$id" params={{ id }} data-row="">
        {name}
      </Link>
    ),
  },
  { name: TEXTS.id, width: '142px', from: 'desktop', render: ({ id }) => <CopyId id={id} /> },
  {
    name: TEXTS.plan,
    width: '172px',
    phoneWidth: '76px',
    render: ({ plan, requested_plan: asked }) => (asked ? `${plan}, ${TEXTS.asks} ${asked}` : plan),
  },
  { name: TEXTS.state, width: '84px', from: 'desktop', render: ({ state }) => TEXTS.states[state] },
  {
    name: TEXTS.used,
    width: '126px',
    phoneWidth: '116px',
    figure: true,
    render: ({ checks_used: used }) => formatCount(used),
  },
  {
    name: TEXTS.limit,
    width: '104px',
    figure: true,
    from: 'wide',
    render: ({ checks_limit: limit }) => formatCount(limit),
  },
  { name: TEXTS.keys, width: '58px', figure: true, from: 'wide', render: ({ keys }) => keys },
  {
    name: TEXTS.lastUse,
    width: '172px',
    figure: true,
    from: 'tablet',
    render: ({ last_used_at: at }) => (at ? <Time at={at} relative /> : TEXTS.never),
  },
];

export function AccountsTab() {
  const { q = '' } = route.useSearch();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(q);
  const seek = useDebouncedCallback((text: string) => {
    const sought = text.trim();
    void navigate({ to: '/operator/accounts', search: sought ? { q: sought } : {}, replace: true });
  }, TYPING_MS);
  const accounts = useInfiniteQuery(operatorAccountsQuery(q));
  const rows = useMemo(() => accounts.data?.pages.flatMap((page) => page.accounts) ?? [], [accounts.data]);
  return (
    <>
      <div className={panel.filters}>
        <TextInput
          type="search"
          aria-label={TEXTS.search}
          placeholder={TEXTS.search}
          value={typed}
          style={{ flex: '1 1 260px', maxWidth: 420 }}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            seek(event.currentTarget.value);
          }}
        />
      </div>
      <PagedTable
        query={accounts}
        texts={{ failed: TEXTS.failed, loading: OPERATOR_TEXTS.loading }}
        label={TEXTS.label}
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        empty={<EmptyState title={TEXTS.none} text={TEXTS.noneText} />}
      />
    </>
  );
}
