import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { AUDIT_SUBJECTS } from '@verdict/contracts/dashboard/audit-subjects.js';
import { useMemo } from 'react';
import { meQuery } from '../../api/account.ts';
import { type AuditEvent, auditQuery } from '../../api/audit.ts';
import { addressOf } from '../../api/call.ts';
import { keysQuery } from '../../api/keys.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import type { Column } from '../../ui/table/DataTable.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { actionWords, detailWords } from './action-words.ts';
import { AUDIT_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/audit');

/** Customers learn that an operator acted, not which one. */
const OPERATOR = 'operator';

const isId = (target: string): boolean => /^[a-z]{2,4}_[0-9A-Z]{20,}$/.test(target);

export function AuditPage() {
  const { subject } = route.useSearch();
  const navigate = useNavigate();
  const me = useQuery(meQuery);
  const keys = useQuery(keysQuery);
  const events = useInfiniteQuery(auditQuery(subject));
  const rows = useMemo(() => events.data?.pages.flatMap((page) => page.events) ?? [], [events.data]);
  const subjects = AUDIT_SUBJECTS.filter((one) => one !== OPERATOR || me.data?.user.operator);

  const targetOf = (target: string | null) => {
    if (target === null) return '';
    const key = keys.data?.keys.find(({ id }) => id === target);
    if (key) return key.name;
    return isId(target) ? <CopyId id={target} /> : <span title={target}>{target}</span>;
  };
  const who = ({ user_id: id, details }: AuditEvent) => {
    if (id === null) return details.by === OPERATOR ? TEXTS.operator : TEXTS.system;
    return id === me.data?.user.id ? TEXTS.you : <CopyId id={id} />;
  };
  const columns: Column<AuditEvent>[] = [
    {
      name: TEXTS.what,
      width: '30%',
      render: ({ action }) => <span title={action}>{actionWords(action)}</span>,
    },
    { name: TEXTS.target, width: '136px', from: 'tablet', render: ({ target }) => targetOf(target) },
    {
      name: TEXTS.details,
      from: 'desktop',
      render: ({ details }) => <span title={detailWords(details)}>{detailWords(details)}</span>,
    },
    { name: TEXTS.who, width: '96px', from: 'tablet', render: who },
    {
      name: TEXTS.ip,
      width: '116px',
      from: 'desktop',
      render: ({ ip }) => <span title={ip ?? ''}>{ip}</span>,
    },
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
      <PageHeader title={TEXTS.title} intro={TEXTS.intro}>
        <DownloadButton
          from={addressOf('GET /dashboard/audit.csv', { query: subject ? { subject } : {} })}
          name="verdict-audit.csv"
          label={TEXTS.export}
        />
      </PageHeader>
      <div className={panel.filters}>
        <NativeSelect
          label={TEXTS.about}
          value={subject ?? ''}
          onChange={(event) => {
            const chosen = subjects.find((one) => one === event.currentTarget.value);
            void navigate({ to: '/audit', search: chosen ? { subject: chosen } : {} });
          }}
          data={[
            { value: '', label: TEXTS.everything },
            ...subjects.map((one) => ({ value: one, label: TEXTS.subjects[one] })),
          ]}
        />
      </div>
      <PagedTable
        query={events}
        texts={TEXTS}
        skeletonRows={12}
        label={TEXTS.title}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        empty={
          subject ? (
            <EmptyState title={TEXTS.noMatch} text={TEXTS.noMatchText} />
          ) : (
            <EmptyState title={TEXTS.empty} text={TEXTS.emptyText} />
          )
        }
      />
    </>
  );
}
