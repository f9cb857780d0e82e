import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { meQuery } from '../../api/account.ts';
import { type AuditEvent, auditQuery } from '../../api/audit.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/DataTable.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { AUDIT_TEXTS as TEXTS } from './texts.ts';

const detailsOf = (details: AuditEvent['details']): string =>
  Object.entries(details)
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(', ');

/** Who an act of the operator is told by: customers learn that it was one, not which. */
const OPERATOR = 'operator';

const isId = (target: string): boolean => /^[a-z]{2,4}_[0-9A-Z]{20,}$/.test(target);

export function AuditPage() {
  const me = useQuery(meQuery);
  const events = useInfiniteQuery(auditQuery);
  const rows = useMemo(() => events.data?.pages.flatMap((page) => page.events) ?? [], [events.data]);
  const columns: Column<AuditEvent>[] = [
    { name: TEXTS.what, width: '186px', phoneWidth: 'auto', render: ({ action }) => <code>{action}</code> },
    {
      name: TEXTS.target,
      width: '128px',
      from: 'tablet',
      render: ({ target }) =>
        target === null ? '' : isId(target) ? <CopyId id={target} /> : <span title={target}>{target}</span>,
    },
    {
      name: TEXTS.details,
      from: 'desktop',
      render: ({ details }) => <span title={detailsOf(details)}>{detailsOf(details)}</span>,
    },
    {
      name: TEXTS.who,
      width: '90px',
      from: 'tablet',
      render: ({ user_id: id, details }) =>
        id === null ? (
          details.by === OPERATOR ? (
            TEXTS.operator
          ) : (
            TEXTS.system
          )
        ) : id === me.data?.user.id ? (
          TEXTS.you
        ) : (
          <CopyId id={id} />
        ),
    },
    { name: TEXTS.ip, width: '116px', from: 'desktop', render: ({ ip }) => ip ?? '' },
    {
      name: TEXTS.request,
      width: '128px',
      from: 'wide',
      render: ({ request_id: id }) => (id ? <CopyId id={id} /> : ''),
    },
    {
      name: TEXTS.when,
      width: '154px',
      phoneWidth: '148px',
      figure: true,
      render: ({ created_at: at }) => <Time at={at} relative />,
    },
  ];
  return (
    <>
      <PageHeader title={TEXTS.title} intro={TEXTS.intro} />
      <PagedTable
        query={events}
        texts={TEXTS}
        skeletonRows={12}
        label={TEXTS.title}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        empty={<EmptyState title={TEXTS.empty} text={TEXTS.emptyText} />}
      />
    </>
  );
}
