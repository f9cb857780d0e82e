import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { AUDIT_SUBJECTS } from '@verdict/contracts/dashboard/audit-subjects.js';
import { meQuery } from '../../api/account.ts';
import { auditQuery } from '../../api/audit.ts';
import { addressOf } from '../../api/call.ts';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { OPERATOR, AUDIT_TEXTS as TEXTS } from './texts.ts';
import { useAuditColumns } from './use-audit-columns.tsx';

const route = getRouteApi('/app/settings/audit');

export function AuditPage() {
  const { subject } = route.useSearch();
  const navigate = useNavigate();
  const me = useQuery(meQuery);
  const events = useInfiniteQuery(auditQuery(subject));
  const subjects = AUDIT_SUBJECTS.filter((one) => one !== OPERATOR || me.data?.user.operator);

  const columns = useAuditColumns();
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
        <DownloadButton
          from={addressOf('GET /dashboard/audit.ndjson', { query: subject ? { subject } : {} })}
          name="verdict-audit.ndjson"
          label="Export NDJSON"
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
