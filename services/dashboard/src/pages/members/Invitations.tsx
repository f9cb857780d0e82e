import { Button } from '@mantine/core';
import type { Role } from '@verdict/domain/role.js';
import { call } from '../../api/call.ts';
import { type Invitation, MEMBERS } from '../../api/members.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { Section } from '../../ui/page/Section.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { ROLE_NAMES, rolesFor, MEMBERS_TEXTS as TEXTS } from './texts.ts';

/** Invitations that are not accepted yet. */
export function Invitations({ invitations, own }: { invitations: readonly Invitation[]; own: Role }) {
  const withdrawing = useAction(
    (id: string) => call('DELETE /members/invitations/:id/', { params: { id } }),
    { stale: [MEMBERS], done: 'Invitation withdrawn', failed: 'Could not withdraw the invitation' },
  );
  return (
    <Section title="Open invitations" note="Each link works once. Invite again to replace a lost one.">
      <DataTable
        label="Open invitations"
        rows={invitations}
        rowKey={({ id }) => id}
        columns={[
          { name: 'Email', render: ({ email }) => <span title={email}>{email}</span> },
          { name: TEXTS.role, width: '96px', render: ({ role }) => ROLE_NAMES[role] },
          { name: 'Expires (UTC)', time: ({ expires_at: at }) => at, exact: true },
          {
            width: '112px',
            figure: true,
            actions: ({ id, role }) =>
              rolesFor(own).includes(role) && (
                <Button variant="default" size="compact-xs" onClick={() => withdrawing.mutate(id)}>
                  Withdraw
                </Button>
              ),
          },
        ]}
      />
    </Section>
  );
}
