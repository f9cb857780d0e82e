import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery } from '../../api/account.ts';
import { call, type Reply } from '../../api/call.ts';
import { session } from '../../api/session.ts';
import { switchAccount } from '../../api/switch-account.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import classes from './SignedOutPage.module.css';

/** For an invited address that has a login: it accepts with it. */
export function AcceptInvitation({
  token,
  invitation,
}: {
  token: string;
  invitation: Reply<'POST /auth/invitations/'>;
}) {
  const isIn = session.state() === 'in';
  const me = useQuery({ ...meQuery, enabled: isIn });
  const accepting = useAction(async () => {
    await call('POST /members/invitations/accept/', { body: { token } });
    await switchAccount(invitation.account.id);
  });
  if (!isIn)
    return (
      <Button renderRoot={(props) => <Link to="/login" search={{ next: '/join' }} {...props} />}>
        Log in to accept
      </Button>
    );
  if (me.data && me.data.user.email !== invitation.email)
    return (
      <>
        <p className={classes.told}>
          You are logged in as {me.data.user.email}. Log out, then open the link again.
        </p>
        <Button variant="default" onClick={() => void session.logOut()}>
          Log out
        </Button>
      </>
    );
  return (
    <>
      {accepting.error && <ErrorNotice error={accepting.error} />}
      <Button disabled={!me.data} loading={accepting.isPending} onClick={() => accepting.mutate()}>
        Accept invitation
      </Button>
    </>
  );
}
