import { useQuery } from '@tanstack/react-query';
import { keysQuery } from '../../api/keys.ts';
import { type RefusedGroup, refusedQuery } from '../../api/refused.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { REFUSED_TEXTS as TEXTS } from './texts.ts';

/** Shows why calls fail: by key and code, with what to do about it. */
export function RefusedPage() {
  const refused = useQuery(refusedQuery);
  const keys = useQuery(keysQuery);
  const nameOf = (id: string) => keys.data?.keys.find((key) => key.id === id)?.name ?? id;
  const columns: Column<RefusedGroup>[] = [
    { name: 'Why', wraps: true, render: (group) => <Why group={group} /> },
    { name: 'Key', width: '160px', from: 'tablet', render: ({ key_id: id }) => nameOf(id) },
    { name: 'Requests', width: '92px', figure: true, render: ({ count }) => count.toLocaleString('en') },
    {
      name: 'Latest request ids',
      width: '150px',
      from: 'desktop',
      wraps: true,
      render: ({ samples }) => samples.slice(0, 3).map(({ request_id: id }) => <CopyId key={id} id={id} />),
    },
    { name: 'Last', time: ({ last_at: at }) => at, width: '140px' },
  ];
  return (
    <>
      <PageHeader
        title="Refused requests"
        intro="Calls that Verdict refused in the last 7 days, by key. They are not billed."
      />
      <Loaded
        query={refused}
        what="the refused requests"
        rows={6}
        isEmpty={(data) => data.refused.length === 0}
        empty={<EmptyState title="No refused requests" text="Every call of the last 7 days was accepted." />}
      >
        {(data) => (
          <DataTable
            label="Refused requests"
            columns={columns}
            rows={data.refused}
            rowKey={({ key_id: key, status, code }) => `${key} ${status} ${code}`}
          />
        )}
      </Loaded>
    </>
  );
}

function Why({ group: { status, code, samples } }: { group: RefusedGroup }) {
  const fields = [...new Set(samples.flatMap((sample) => sample.fields))];
  return (
    <>
      <code>
        {status} {code}
      </code>
      <br />
      {TEXTS.advice[code] ?? 'See the error codes in the docs.'} {fields.length > 0 && TEXTS.fields(fields)}
    </>
  );
}
