import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../api/account.ts';
import type { AuditEvent } from '../../api/audit.ts';
import { keysQuery } from '../../api/keys.ts';
import { membersQuery } from '../../api/members.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { actionWords, detailWords } from './action-words.ts';
import { OPERATOR } from './texts.ts';

const isId = (target: string): boolean => /^[a-z]{2,4}_[0-9A-Z]{20,}$/.test(target);

/** These entries keep the email of somebody who is not listed among the members any more. */
const isRemoval = (action: string): boolean => action === 'member.removed' || action === 'member.left';

/** The columns of the audit log. Keys and members have their names, others their ids. */
export function useAuditColumns(): Column<AuditEvent>[] {
  const me = useQuery(meQuery);
  const keys = useQuery(keysQuery);
  const { data: { members = [] } = {} } = useQuery(membersQuery);
  const memberOf = (id: string) => members.find((member) => member.id === id);

  const targetOf = ({ action, target, details }: AuditEvent) => {
    if (target === null) return '';
    if (isRemoval(action) && typeof details.email === 'string')
      return <span title={details.email}>{details.email}</span>;
    const key = keys.data?.keys.find(({ id }) => id === target);
    if (key) return key.name;
    const member = memberOf(target);
    if (member) return <span title={member.email}>{member.email}</span>;
    return isId(target) ? <CopyId id={target} /> : <span title={target}>{target}</span>;
  };
  const who = ({ user_id: id, user_email: email, details }: AuditEvent) => {
    if (id === null) return details.by === OPERATOR ? 'an operator' : 'the system';
    if (id === me.data?.user.id) return 'you';
    if (email === null) return <CopyId id={id} />;
    return <span title={email}>{memberOf(id)?.name ?? email}</span>;
  };
  return [
    {
      name: 'Action',
      width: '30%',
      render: ({ action }) => <span title={action}>{actionWords(action)}</span>,
    },
    { name: 'Target', width: '136px', from: 'tablet', render: targetOf },
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
}
