import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { AcceptInvitation } from './AcceptInvitation.tsx';
import { JoinForm } from './JoinForm.tsx';
import { linkToken } from './link-token.ts';
import classes from './SignedOutPage.module.css';
import { SignedOutPage } from './SignedOutPage.tsx';
import { MAIL_TEXTS as TEXTS } from './texts.ts';

/** Kept while somebody logs in on the way, in memory alone. */
let kept: string | null = null;

/** The page that the link of an invitation opens, with or without a login. */
export function JoinPage() {
  const [token] = useState(() => {
    kept = linkToken() ?? kept;
    return kept;
  });
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call('POST /auth/invitations/', { body: { token: token ?? '' } }),
    enabled: token !== null,
    retry: false,
  });
  return (
    <SignedOutPage title="Join an account">
      {token === null ? (
        <p className={classes.told}>{TEXTS.noToken}</p>
      ) : invitation.error ? (
        <ErrorNotice error={invitation.error} />
      ) : (
        <Loaded query={invitation} what="the invitation" rows={2}>
          {(data) => (
            <div className={classes.form}>
              <p className={classes.intro}>
                You join the account {data.account.name} as {data.email}, with the role {data.role}.
              </p>
              {data.registered ? (
                <AcceptInvitation token={token} invitation={data} />
              ) : (
                <JoinForm token={token} email={data.email} />
              )}
            </div>
          )}
        </Loaded>
      )}
      <p className={classes.other}>
        <Link to="/">Go to the dashboard</Link>
      </p>
    </SignedOutPage>
  );
}
