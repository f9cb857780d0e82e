import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type ApiKey, keysQuery } from '../../api/keys.ts';
import { usageQuery } from '../../api/usage.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { daysAgo, formatCount } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';
import { KeyActions } from './KeyActions.tsx';
import classes from './KeyStatus.module.css';
import { KeyStatus } from './KeyStatus.tsx';
import { limitsText } from './key-limits.ts';
import { type NewValue, NewValueDialog } from './NewValueDialog.tsx';
import { KEYS_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/keys');
const DAYS = 30;

const logsOf = ({ id, mode }: ApiKey) => (mode === 'test' ? { key: id, mode: 'test' as const } : { key: id });

export function KeysPage() {
  const { show } = route.useSearch();
  const navigate = useNavigate();
  const keys = useQuery(keysQuery);
  const usage = useQuery(usageQuery({ by: 'day', from: daysAgo(DAYS - 1), to: daysAgo(0) }));
  const [creating, setCreating] = useState(false);
  const [newValue, setNewValue] = useState<NewValue | null>(null);

  const all = keys.data?.keys ?? [];
  const live = all.filter(({ status }) => status !== 'revoked');
  const rows = show === 'all' ? all : live;
  const max = keys.data?.keys_max ?? 0;
  const full = keys.data !== undefined && live.length >= max;
  const checks = new Map<string, number>();
  for (const row of usage.data?.rows ?? []) {
    checks.set(row.key_id, (checks.get(row.key_id) ?? 0) + row.checks);
  }

  const columns: Column<ApiKey>[] = [
    {
      name: TEXTS.name,
      render: (key) => (
        <>
          <Link to="/logs" search={logsOf(key)} data-row="" title={TEXTS.seeLogs}>
            {key.name}
          </Link>
          {limitsText(key) && <span className={classes.limits}>{limitsText(key)}</span>}
        </>
      ),
    },
    {
      name: TEXTS.value,
      width: '176px',
      from: 'tablet',
      render: ({ prefix, last_four }) => (
        <code>
          {prefix}…{last_four}
        </code>
      ),
    },
    { name: TEXTS.status, width: '92px', render: ({ status }) => <KeyStatus status={status} /> },
    {
      name: TEXTS.checks,
      width: '118px',
      figure: true,
      from: 'tablet',
      render: ({ id }) => (usage.data ? formatCount(checks.get(id) ?? 0) : '–'),
    },
    {
      name: TEXTS.lastUse,
      width: '172px',
      figure: true,
      from: 'tablet',
      render: ({ last_used_at: at }) => (at ? <Time at={at} relative /> : TEXTS.never),
    },
    {
      name: TEXTS.created,
      width: '172px',
      figure: true,
      from: 'desktop',
      render: ({ created_at: at }) => <Time at={at} />,
    },
    {
      name: TEXTS.actions,
      width: '48px',
      quiet: true,
      render: (key) => <KeyActions apiKey={key} checks={checks.get(key.id) ?? 0} onNewValue={setNewValue} />,
    },
  ];

  return (
    <>
      <PageHeader title={TEXTS.title} intro={TEXTS.intro}>
        <Button onClick={() => setCreating(true)} disabled={full}>
          {TEXTS.create}
        </Button>
      </PageHeader>
      {all.length > live.length && (
        <div className={panel.filters}>
          <SegmentedControl
            size="xs"
            aria-label={TEXTS.show}
            value={show ?? 'live'}
            onChange={(value) =>
              void navigate({ to: '/keys', search: value === 'all' ? { show: 'all' } : {} })
            }
            data={[
              { value: 'live', label: TEXTS.live },
              { value: 'all', label: TEXTS.all },
            ]}
          />
        </div>
      )}
      {keys.error ? (
        <ErrorNotice title={TEXTS.failed} error={keys.error} onRetry={() => void keys.refetch()} />
      ) : !keys.data ? (
        <SkeletonRows rows={4} label={TEXTS.loading} />
      ) : rows.length === 0 ? (
        <EmptyState title={TEXTS.empty} text={TEXTS.emptyText}>
          <Button variant="default" onClick={() => setCreating(true)}>
            {TEXTS.create}
          </Button>
        </EmptyState>
      ) : (
        <>
          <DataTable label={TEXTS.title} columns={columns} rows={rows} rowKey={({ id }) => id} />
          <p className={panel.note} style={{ marginTop: 10 }}>
            {full ? TEXTS.limitReached(max) : TEXTS.limit(live.length, max)}
          </p>
        </>
      )}
      {creating && (
        <CreateKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(made) => {
            setCreating(false);
            setNewValue(made);
          }}
        />
      )}
      {newValue && <NewValueDialog made={newValue} onClose={() => setNewValue(null)} />}
    </>
  );
}
