import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type ApiKey, keysQuery } from '../../api/keys.ts';
import { usageQuery } from '../../api/usage.ts';
import { daysAgo, formatCount } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { clientText } from './client-text.ts';
import { KeyActions } from './KeyActions.tsx';
import { KeyDialog } from './KeyDialog.tsx';
import classes from './KeyStatus.module.css';
import { KeyStatus } from './KeyStatus.tsx';
import { limitsText } from './key-limits.ts';
import { type NewValue, NewValueDialog } from './NewValueDialog.tsx';
import { oldValueLine } from './old-value-line.ts';
import { CLIENT_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/developers/keys');
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

  return (
    <>
      <PageHeader
        title="Keys"
        intro="Your apps send a key with every request. Changes take effect immediately."
      >
        <Button onClick={() => setCreating(true)} disabled={full}>
          Create key
        </Button>
      </PageHeader>
      {all.length > live.length && (
        <div className={panel.filters}>
          <SegmentedControl
            size="xs"
            aria-label="Keys to show"
            value={show ?? 'live'}
            onChange={(value) =>
              void navigate({ to: '/developers/keys', search: value === 'all' ? { show: 'all' } : {} })
            }
            data={[
              { value: 'live', label: 'In use' },
              { value: 'all', label: 'Include revoked' },
            ]}
          />
        </div>
      )}
      <Loaded
        query={keys}
        what="the keys"
        rows={4}
        isEmpty={() => rows.length === 0}
        empty={
          <EmptyState
            title="No keys yet"
            text="Your app needs a key to check addresses. It is shown once, when you create it."
          >
            <Button variant="default" onClick={() => setCreating(true)}>
              Create key
            </Button>
          </EmptyState>
        }
      >
        {() => (
          <>
            <DataTable
              label="Keys"
              columns={keyColumns(usage.data && checks, setNewValue)}
              rows={rows}
              rowKey={({ id }) => id}
            />
            <p className={panel.note} style={{ marginTop: 10 }}>
              {full
                ? `All ${max} keys are in use. Revoke one to create another.`
                : `${live.length} of ${max} keys in use.`}
            </p>
            {rows.some(({ dropped_ips }) => dropped_ips > 0) && (
              <p className={panel.note}>
                {TEXTS.why}{' '}
                <Link to="/docs/$guide" params={{ guide: 'integrate' }} hash="which-ip-to-send">
                  {TEXTS.help}
                </Link>
              </p>
            )}
          </>
        )}
      </Loaded>
      {creating && <KeyDialog onClose={() => setCreating(false)} onCreated={setNewValue} />}
      {newValue && <NewValueDialog made={newValue} onClose={() => setNewValue(null)} />}
    </>
  );
}

/** The checks of each key are unknown until they are loaded. */
const keyColumns = (
  checks: ReadonlyMap<string, number> | undefined,
  onNewValue: (made: NewValue) => void,
): Column<ApiKey>[] => [
  {
    name: 'Name',
    wraps: true,
    render: (key) => (
      <>
        <Link to="/checks" search={logsOf(key)} data-row="" title="See its checks">
          {key.name}
        </Link>
        {limitsText(key) && <span className={classes.limits}>{limitsText(key)}</span>}
        {clientText(key) && <span className={classes.limits}>{clientText(key)}</span>}
        {key.old_value && <span className={classes.limits}>{oldValueLine(key.old_value, Date.now())}</span>}
      </>
    ),
  },
  {
    name: 'Key',
    width: '176px',
    from: 'tablet',
    render: ({ prefix, last_four }) => (
      <code>
        {prefix}…{last_four}
      </code>
    ),
  },
  { name: 'Status', width: '92px', render: ({ status }) => <KeyStatus status={status} /> },
  {
    name: 'Checks, 30 days',
    width: '118px',
    figure: true,
    from: 'tablet',
    render: ({ id }) => (checks ? formatCount(checks.get(id) ?? 0) : '–'),
  },
  { name: 'Last used (UTC)', time: ({ last_used_at: at }) => at, never: 'never' },
  { name: 'Created (UTC)', time: ({ created_at: at }) => at, exact: true, from: 'desktop' },
  {
    actions: (key) => <KeyActions apiKey={key} checks={checks?.get(key.id) ?? 0} onNewValue={onNewValue} />,
  },
];
