import { Button, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { addressOf, call } from '../../api/call.ts';
import { LISTS, type ListEntry, type ListName, listQuery } from '../../api/lists.ts';
import { OVERVIEW } from '../../api/usage.ts';
import { IconTrash } from '../../icons.tsx';
import { useAction } from '../../ui/action/use-action.ts';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { SearchField } from '../../ui/page/SearchField.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { IconButton } from '../../ui/table/IconButton.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { AddEntryDialog } from './AddEntryDialog.tsx';
import { EntriesUsed } from './EntriesUsed.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { Proposals } from './Proposals.tsx';
import { LISTS_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/rules/lists');

export function ListsPage() {
  const { list = 'allow', search = '' } = route.useSearch();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'add' | 'import' | null>(null);
  const importButton = useRef<HTMLButtonElement>(null);
  const show = (nextList: ListName, nextSearch: string, replace = false) =>
    void navigate({
      to: '/rules/lists',
      search: {
        ...(nextList === 'allow' ? {} : { list: nextList }),
        ...(nextSearch ? { search: nextSearch } : {}),
      },
      replace,
    });

  const entries = useInfiniteQuery(listQuery(list, search));
  const first = entries.data?.first;

  const removal = useAction(({ id }: ListEntry) => call(`DELETE /lists/${list}/:id/`, { params: { id } }), {
    stale: [LISTS, OVERVIEW],
    done: (_, { value }) => ({ title: `${value} removed from the ${list} list`, message: TEXTS.immediately }),
    failed: TEXTS.removeFailed,
  });

  return (
    <>
      <PageHeader
        title="Lists"
        intro="Always allow or block an address, a mailbox, a domain with its subdomains, every domain behind a mail server, an IP or a network. Entries override the score."
      >
        <DownloadButton
          from={addressOf(`GET /lists/${list}/export.csv`)}
          name={`verdict-${list}.csv`}
          label="Export CSV"
        />
        <Button ref={importButton} variant="default" onClick={() => setDialog('import')}>
          Import
        </Button>
        <Button onClick={() => setDialog('add')}>Add entry</Button>
      </PageHeader>
      <div className={panel.filters}>
        <SegmentedControl
          aria-label="List"
          value={list}
          onChange={(value) => show(value as ListName, '')}
          data={[
            { value: 'allow', label: 'Allow' },
            { value: 'block', label: 'Block' },
          ]}
        />
        <SearchField
          label="Starts with"
          sought={search}
          width={340}
          onSeek={(text) => show(list, text, true)}
        />
        {first && <EntriesUsed {...first} />}
      </div>
      {list === 'block' && <Proposals />}
      <PagedTable
        query={entries}
        what="the list"
        label={`Lists: ${list}`}
        columns={entryColumns(
          (entry) => removal.isPending && removal.variables?.id === entry.id,
          removal.mutate,
        )}
        rowKey={({ id }) => id}
        empty={
          search ? (
            <EmptyState title="No matching entries" text="Search compares the start of the value." />
          ) : (
            <EmptyState title={`The ${list} list is empty`} text={TEXTS.emptyText[list]}>
              <Button variant="default" onClick={() => setDialog('add')}>
                Add entry
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

const entryColumns = (
  isGoing: (entry: ListEntry) => boolean,
  onRemove: (entry: ListEntry) => void,
): Column<ListEntry>[] => [
  {
    name: 'Value',
    render: (entry) => (
      <>
        <span title={entry.value}>{entry.value}</span>
        <span data-little>{TEXTS.kindOf(entry)}</span>
      </>
    ),
  },
  { name: 'Kind', width: '96px', from: 'tablet', render: TEXTS.kindOf },
  {
    name: 'Note',
    width: '28%',
    from: 'tablet',
    render: ({ note }) => note && <span title={note}>{note}</span>,
  },
  { name: 'Added (UTC)', time: ({ created_at: at }) => at },
  {
    name: 'Expires (UTC)',
    width: '124px',
    figure: true,
    render: ({ expires_at: at }) =>
      at === null ? 'Never' : new Date(at) <= new Date() ? 'Expired' : <Time at={at} day />,
  },
  {
    actions: (entry) => (
      <IconButton label={`Remove ${entry.value}`} disabled={isGoing(entry)} onClick={() => onRemove(entry)}>
        <IconTrash size={15} />
      </IconButton>
    ),
  },
];
