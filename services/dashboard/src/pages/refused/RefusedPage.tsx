import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { keysQuery } from '../../api/keys.ts';
import { type RefusedGroup, refusedQuery } from '../../api/refused.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { REFUSED_TEXTS as TEXTS } from './texts.ts';

/** Shows why calls fail: by key and code, with what to do about it. */
export function RefusedPage() {
  const refused = useQuery(refusedQuery);
  const keys = useQuery(keysQuery);
  const nameOf = (id: string) => keys.data?.keys.find((key) => key.id === id)?.name ?? id;
  const columns: Column<RefusedGroup>[] = [
    { name: TEXTS.why, wraps: true, render: (group) => <Why group={group} /> },
    { name: TEXTS.key, width: '160px', from: 'tablet', render: ({ key_id: id }) => nameOf(id) },
    { name: TEXTS.count, width: '92px', figure: true, render: ({ count }) => count.toLocaleString('en') },
    {
      name: TEXTS.samples,
      width: '150px',
      from: 'desktop',
      wraps: true,
      render: ({ samples }) => samples.slice(0, 3).map(({ request_id: id }) => <CopyId key={id} id={id} />),
    },
    {
      name: TEXTS.last,
      width: '140px',
      from: 'tablet',
      figure: true,
      render: ({ last_at: at }) => <Time at={at} relative />,
    },
  ];
  return (
    <>
      <PageHeader
        title={TEXTS.title}
        intro={
          <>
            {TEXTS.intro} <Link to="/logs">{TEXTS.back}</Link>
          </>
        }
      />
      {refused.error ? (
        <ErrorNotice title={TEXTS.failed} error={refused.error} onRetry={() => void refused.refetch()} />
      ) : !refused.data ? (
        <SkeletonRows rows={6} label={TEXTS.loading} />
      ) : refused.data.refused.length === 0 ? (
        <EmptyState title={TEXTS.empty} text={TEXTS.emptyText} />
      ) : (
        <DataTable
          label={TEXTS.title}
          columns={columns}
          rows={refused.data.refused}
          rowKey={({ key_id: key, status, code }) => `${key} ${status} ${code}`}
        />
      )}
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
      {TEXTS.advice[code] ?? TEXTS.other} {fields.length > 0 && TEXTS.fields(fields)}
    </>
  );
}
