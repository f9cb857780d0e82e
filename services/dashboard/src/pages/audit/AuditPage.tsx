import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { AUDIT_SUBJECTS } from '@verdict/contracts/dashboard/audit-subjects.js';
import { meQuery } from '../../api/account.ts';
import { type AuditEvent, auditQuery } from '../../api/audit.ts';
import { addressOf } from '../../api/call.ts';
import { keysQuery } from '../../api/keys.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import type { Column } from '../../ui/table/columns.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { actionWords, detailWords } from './action-words.ts';
import { AUDIT_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/settings/audit');

/** Customers learn that an operator acted, not which one. */
const OPERATOR = 'operator';

const isId = (target: string): boolean => /^[a-z]{2,4}_[0-9A-Z]{20,}$/.test(target);

export function AuditPage() {
  const { subject } = route.useSearch();
  const navigate = useNavigate();
  const me = useQuery(meQuery);
  const keys = useQuery(keysQuery);
  const events = useInfiniteQuery(auditQuery(subject));
  const subjects = AUDIT_SUBJECTS.filter((one) => one !== OPERATOR || me.data?.user.operator);

  const targetOf = (target: string | null) => {
    if (target === null) return '';
    const key = keys.data?.keys.find(({ id }) => id === target);
    if (key) return key.name;
    return isId(target) ? <CopyId id={target} /> : <span title={target}>{target}</span>;
  };
  const who = ({ user_id: id, details }: AuditEvent) => {
    if (id === null) return details.by === OPERATOR ? 'an operator' : 'the system';
    return id === me.data?.user.id ? 'you' : <CopyId id={id} />;
  };
  const columns: Column<AuditEvent>[] = [
    {
      name: 'Action',
      width: '30%',
      render: ({ action }) => <span title={action}>{actionWords(action)}</span>,
    },
    { name: 'Target', width: '136px', from: 'tablet', render: ({ target }) => targetOf(target) },
    {
      name: 'Details',
      from: 'desktop',
      render: ({ details }) => <span title={detailWords(details)}>{detailWords(details)}</span>,
    },
    { name: 'By', width: '96px', from: 'tablet', render: who },
    {
      name: 'From',
      width: '116px',
      from: 'desktop',
      render: ({ ip }) => <span title={ip ?? ''}>{ip}</span>,
    },
    {
      name: 'Request',
      width: '128px',
      from: 'wide',
      render: ({ request_id: id }) => (id ? <CopyId id={id} /> : ''),
    },
    {
      name: 'Time (UTC)',
      time: ({ created_at: at }) => at,
      width: '154px',
      phoneWidth: '148px',
      from: null,
    },
  ];

  return (
    <>
      <PageHeader
        title="Audit"
        intro="Every change of this account: the action, the person, the time and the IP. Entries are never changed or removed."
      >
        <DownloadButton
          from={addressOf('GET /dashboard/audit.csv', { query: subject ? { subject } : {} })}
          name="verdict-audit.csv"
          label="Export CSV"
        />
      </PageHeader>
      <div className={panel.filters}>
        <NativeSelect
          label="Show"
          value={subject ?? ''}
          onChange={(event) => {
            const chosen = subjects.find((one) => one === event.currentTarget.value);
            void navigate({ to: '/settings/audit', search: chosen ? { subject: chosen } : {} });
          }}
          data={[
            { value: '', label: 'Everything' },
            ...subjects.map((one) => ({ value: one, label: TEXTS.subjects[one] })),
          ]}
        />
      </div>
      <PagedTable
        query={events}
        what="the audit log"
        skeletonRows={12}
        label="Audit"
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          subject ? (
            <EmptyState title="No matching entries" text="Choose “Everything” to see all changes." />
          ) : (
            <EmptyState
              title="No changes yet"
              text="Logins, keys, list entries and plan changes appear here."
            />
          )
        }
      />
    </>
  );
}
