import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Me } from '../../api/account.ts';
import { call } from '../../api/call.ts';
import { session } from '../../api/session.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ConfirmByName } from '../../ui/dialog/ConfirmByName.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';

/** For members who do not own the account: they leave it, and it stays. */
export function LeaveAccount({ me }: { me: Me }) {
  const [asking, setAsking] = useState(false);
  const others = me.accounts.filter(({ id }) => id !== me.account.id);
  const leaving = useAction((_: FormData) => call('DELETE /members/me/'), {
    // The session continues in another account, or its user is gone.
    then: () => (others.length > 0 ? session.renew(session.access) : session.logOut()),
  });
  const consequence =
    others.length > 0
      ? 'You lose access to this account immediately. Your login and your other accounts stay.'
      : 'You lose access immediately. This is your only account, so your login is deleted. You cannot undo this.';
  return (
    <Section title="Danger zone">
      <div className={panel.danger}>
        <p>{consequence}</p>
        <Button variant="outline" color="red" onClick={() => setAsking(true)}>
          Leave account
        </Button>
      </div>
      {asking && (
        <ConfirmByName
          title="Leave account"
          consequence={consequence}
          name={me.user.email}
          label="Your email address"
          submit="Leave account"
          action={leaving}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
