import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { addressOf } from '../../api/call.ts';
import { LISTS, type ListEntry, type ListName, listQuery, removeEntry } from '../../api/lists.ts';
import { IconTrash } from '../../icons.tsx';
import { showError } from '../../ui/error/show-error.ts';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { formatCount } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import type { Column } from '../../ui/table/DataTable.tsx';
import { IconButton } from '../../ui/table/IconButton.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { AddEntryDialog } from './AddEntryDialog.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { LISTS_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/lists');
const TYPING_MS = 250;

export function ListsPage() {
  const { list = 'allow', search = '' } = route.useSearch();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<'add' | 'import' | null>(null);
  const importButton = useRef<HTMLButtonElement>(null);
  const [typed, setTyped] = useState(search);
  useEffect(() => setTyped(search), [search]);
  const show = (nextList: ListName, nextSearch: string, replace = false) =>
    void navigate({
      to: '/lists',
      search: {
        ...(nextList === 'allow' ? {} : { list: nextList }),
        ...(nextSearch ? { search: nextSearch } : {}),
      },
      replace,
    });
  const seek = useDebouncedCallback((text: string) => show(list, text.trim(), true), TYPING_MS);

  const entries = useInfiniteQuery(listQuery(list, search));
  const rows = useMemo(() => entries.data?.pages.flatMap((page) => page.entries) ?? [], [entries.data]);
  const first = entries.data?.pages[0];

  const removal = useMutation({
    mutationFn: (entry: ListEntry) => removeEntry(list, entry.id),
    onSuccess: (_, entry) =>
      notifications.show({ title: TEXTS.removed(entry.value, list), message: TEXTS.immediately }),
    onError: showError(TEXTS.removeFailed),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: LISTS }),
        client.invalidateQueries({ queryKey: ['overview'] }),
      ]),
  });

  const columns: Column<ListEntry>[] = [
    {
      name: TEXTS.value,
      render: (entry) => (
        <>
          <span title={entry.value}>{entry.value}</span>
          <span data-little>{TEXTS.kindOf(entry)}</span>
        </>
      ),
    },
    { name: TEXTS.kind, width: '84px', from: 'tablet', render: TEXTS.kindOf },
    {
      name: TEXTS.note,
      width: '28%',
      from: 'tablet',
      render: ({ note }) => note && <span title={note}>{note}</span>,
    },
    {
      name: TEXTS.added,
      width: '172px',
      figure: true,
      from: 'tablet',
      render: ({ created_at: at }) => <Time at={at} relative />,
    },
    {
      name: TEXTS.expires,
      width: '124px',
      figure: true,
      render: ({ expires_at: at }) =>
        at === null ? TEXTS.never : new Date(at) <= new Date() ? TEXTS.expired : <Time at={at} day />,
    },
    {
      name: TEXTS.actions,
      quiet: true,
      width: '48px',
      render: (entry) => (
        <IconButton
          label={TEXTS.removeOf(entry.value)}
          disabled={removal.isPending && removal.variables.id === entry.id}
          onClick={() => removal.mutate(entry)}
        >
          <IconTrash size={15} />
        </IconButton>
      ),
    },
  ];

  return (
    <>
      <PageHeader title={TEXTS.title} intro={TEXTS.intro}>
        <DownloadButton
          from={addressOf(`GET /lists/${list}/export.csv`)}
          name={`verdict-${list}.csv`}
          label={TEXTS.export}
        />
        <Button ref={importButton} variant="default" onClick={() => setDialog('import')}>
          {TEXTS.import}
        </Button>
        <Button onClick={() => setDialog('add')}>{TEXTS.add}</Button>
      </PageHeader>
      <div className={panel.filters}>
        <SegmentedControl
          aria-label={TEXTS.which}
          value={list}
          onChange={(value) => show(value as ListName, '')}
          data={[
            { value: 'allow', label: TEXTS.allow },
            { value: 'block', label: TEXTS.block },
          ]}
        />
        <TextInput
          type="search"
          aria-label={TEXTS.search}
          placeholder={TEXTS.search}
          value={typed}
          style={{ flex: '1 1 220px', maxWidth: 340 }}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            seek(event.currentTarget.value);
          }}
        />
        {first && (
          <p className={panel.note} style={{ marginLeft: 'auto', alignSelf: 'center' }}>
            {TEXTS.total(formatCount(first.total), formatCount(first.entries_max))}
          </p>
        )}
      </div>
      <PagedTable
        query={entries}
        texts={TEXTS}
        label={`${TEXTS.title}: ${list}`}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        empty={
          search ? (
            <EmptyState title={TEXTS.noMatch} text={TEXTS.noMatchText} />
          ) : (
            <EmptyState title={TEXTS.empty(list)} text={TEXTS.emptyText[list]}>
              <Button variant="default" onClick={() => setDialog('add')}>
                {TEXTS.add}
              </Button>
            </EmptyState>
          )
        }
      />
      {dialog === 'add' && <AddEntryDialog list={list} onClose={() => setDialog(null)} />}
      {dialog === 'import' && (
        <ImportDialog
          list={list}
          onClose={() => {
            setDialog(null);
            importButton.current?.focus();
          }}
        />
      )}
    </>
  );
}
