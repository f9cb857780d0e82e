import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { type Hook, hooksQuery } from '../../api/hooks.ts';
import { keysQuery } from '../../api/keys.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { HookActions } from './HookActions.tsx';
import { HookDialog } from './HookDialog.tsx';
import { type NewHook, NewHookDialog } from './NewHookDialog.tsx';
import { refusalsOf } from './refusals-of.ts';
import { KIND_NAMES, ON_ERROR_NAMES, HOOKS_TEXTS as TEXTS } from './texts.ts';

export function HooksPage() {
  const hooks = useQuery(hooksQuery);
  const keys = useQuery(keysQuery);
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<NewHook | null>(null);
  const { hooks: all = [], hooks_max: max = 0 } = hooks.data ?? {};
  const full = hooks.data !== undefined && all.length >= max;
  const nameOfKey = (id: string) => keys.data?.keys.find((key) => key.id === id)?.name ?? 'deleted key';
  const columns: Column<Hook>[] = [
    {
      name: 'Provider',
      render: ({ id, kind }) => (
        <Link to="/developers/hooks/$id" params={{ id }} data-row="" resetScroll={false}>
          {KIND_NAMES[kind]}
        </Link>
      ),
    },
    { name: 'Key', width: '22%', from: 'tablet', render: ({ key_id: id }) => nameOfKey(id) },
    { name: TEXTS.refuses, width: '22%', render: refusalsOf },
    {
      name: TEXTS.onError,
      width: '140px',
      from: 'desktop',
      render: ({ kind, on_error: onError }) => (kind === 'clerk' ? '–' : ON_ERROR_NAMES[onError]),
    },
    { name: 'Created (UTC)', time: ({ created_at: at }) => at },
    { actions: (hook) => <HookActions hook={hook} /> },
  ];
  return (
    <>
      <PageHeader
        title={TEXTS.title}
        intro="Let your auth provider ask Verdict about every sign-up. Create a hook and paste its URL there."
      >
        <Button
          onClick={() => setCreating(true)}
          disabled={full}
          {...(full ? { title: `All ${max} hooks are in use. Delete one to create another.` } : {})}
        >
          {TEXTS.create}
        </Button>
      </PageHeader>
      <Loaded
        query={hooks}
        what="the hooks"
        rows={3}
        isEmpty={(data) => data.hooks.length === 0}
        empty={
          <EmptyState
            title="No hooks yet"
            text="Create one, then paste its URL and secret at Supabase, WorkOS, Ory, Auth0 or Clerk."
          >
            <Button variant="default" onClick={() => setCreating(true)}>
              {TEXTS.create}
            </Button>
          </EmptyState>
        }
      >
        {(data) => (
          <DataTable label={TEXTS.title} columns={columns} rows={data.hooks} rowKey={({ id }) => id} />
        )}
      </Loaded>
      {creating && <HookDialog onClose={() => setCreating(false)} onCreated={setMade} />}
      {made && <NewHookDialog made={made} onClose={() => setMade(null)} />}
      <Outlet />
    </>
  );
}
