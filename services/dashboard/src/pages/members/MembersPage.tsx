import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery } from '../../api/account.ts';
import { type Member, membersQuery } from '../../api/members.ts';
import { useMay } from '../../shell/use-may.ts';
import { ShownOnceDialog } from '../../ui/dialog/ShownOnceDialog.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { Invitations } from './Invitations.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { MemberActions } from './MemberActions.tsx';
import { SingleSignOn } from './SingleSignOn.tsx';
import { ROLE_HINTS, ROLE_NAMES, MEMBERS_TEXTS as TEXTS } from './texts.ts';

/** The people of the account and their roles. */
export function MembersPage() {
  const members = useQuery(membersQuery);
  const { data: me } = useQuery(meQuery);
  const may = useMay();
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const columns: Column<Member>[] = [
    {
      name: 'Member',
      render: ({ id, email, name }) => (
        <span title={email}>
          {name ? `${name} · ${email}` : email}
          {id === me?.user.id && <strong> · you</strong>}
        </span>
      ),
    },
    {
      name: TEXTS.role,
      width: '96px',
      render: ({ role }) => <span title={ROLE_HINTS[role]}>{ROLE_NAMES[role]}</span>,
    },
    {
      name: 'Two-factor',
      width: '104px',
      from: 'tablet',
      render: ({ second_factor: on }) => (on ? 'on' : 'off'),
    },
    { name: 'Joined (UTC)', time: ({ created_at: at }) => at },
    { actions: (member) => me && <MemberActions member={member} me={me} /> },
  ];
  return (
    <>
      <PageHeader title={TEXTS.title} intro="Each person has a login and one role in this account.">
        <Button onClick={() => setInviting(true)}>{TEXTS.invite}</Button>
      </PageHeader>
      <Loaded query={members} what="the members" rows={3}>
        {(data) => (
          <>
            <Section title="People with access">
              <DataTable label={TEXTS.title} columns={columns} rows={data.members} rowKey={({ id }) => id} />
            </Section>
            {me && data.invitations.length > 0 && (
              <Invitations invitations={data.invitations} own={me.account.role} />
            )}
            {me && may('GET /dashboard/sso/') && <SingleSignOn />}
          </>
        )}
      </Loaded>
      {inviting && me && (
        <InviteDialog
          own={me.account.role}
          onClose={() => setInviting(false)}
          onInvited={(invited) => {
            if (invited.link === null)
              notifications.show({ message: `Invitation mailed to ${invited.invitation.email}` });
            else setLink(`${window.location.origin}${invited.link}`);
          }}
        />
      )}
      {link !== null && (
        <ShownOnceDialog
          title="Send this link"
          text="This server sends no mail. Send the link yourself: it works once, within 7 days, and is not shown again."
          value={link}
          label="Link of the invitation"
          stored="I have copied the link"
          onClose={() => setLink(null)}
        />
      )}
    </>
  );
}
