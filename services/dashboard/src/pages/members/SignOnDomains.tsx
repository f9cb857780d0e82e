import { Button } from '@mantine/core';
import { call } from '../../api/call.ts';
import { SSO, type Sso } from '../../api/sso.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { StateMark } from '../../ui/page/StateMark.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';

type Domain = Sso['domains'][number];

const COLUMNS: Column<Domain>[] = [
  { name: 'Domain', render: ({ domain }) => <span title={domain}>{domain}</span> },
  {
    name: 'State',
    width: '112px',
    render: ({ proven }) => (
      <StateMark state={proven ? 'good' : 'waiting'}>{proven ? 'Verified' : 'Pending'}</StateMark>
    ),
  },
  {
    name: 'TXT record',
    from: 'tablet',
    render: ({ proven, record_name }) => (proven ? null : <CopyId id={record_name} whole />),
  },
  {
    name: 'Value',
    render: ({ proven, record_value }) => (proven ? null : <CopyId id={record_value} />),
  },
];

/** The domains whose addresses log in at the provider, and the records that verify them. */
export function SignOnDomains({ sso: { domains } }: { sso: Sso }) {
  const checking = useAction(() => call('POST /dashboard/sso/domains/check/'), {
    stale: [SSO],
    done: ({ sso }) =>
      sso?.domains.every(({ proven }) => proven)
        ? 'Every domain is verified'
        : 'A TXT record was not found. DNS may need an hour to show it.',
    failed: 'Could not check the domains',
  });
  const isOpen = domains.some(({ proven }) => !proven);
  return (
    <>
      <DataTable label="Domains" columns={COLUMNS} rows={domains} rowKey={({ domain }) => domain} />
      {isOpen && (
        <Button variant="default" mt={12} loading={checking.isPending} onClick={() => checking.mutate()}>
          Check TXT records
        </Button>
      )}
    </>
  );
}
