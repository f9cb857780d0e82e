import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { confirmAddress } from '../../api/account.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import classes from '../login/StrangerPage.module.css';
import { StrangerPage } from '../login/StrangerPage.tsx';
import { MAIL_TEXTS as TEXTS } from '../login/texts.ts';
import { linkToken } from './link-token.ts';

export function ConfirmAddressPage() {
  const [token] = useState(linkToken);
  const { mutate, isSuccess, error } = useMutation({ mutationFn: confirmAddress });
  useEffect(() => {
    if (token !== null) mutate(token);
  }, [token, mutate]);
  return (
    <StrangerPage title={TEXTS.confirmTitle}>
      {token === null ? (
        <p className={classes.told}>{TEXTS.noToken}</p>
      ) : error ? (
        <ErrorNotice error={error} />
      ) : (
        <p className={classes.told} role="status">
          {isSuccess ? TEXTS.confirmed : TEXTS.confirming}
        </p>
      )}
      <p className={classes.other}>
        <Link to="/">{TEXTS.toDashboard}</Link>
      </p>
    </StrangerPage>
  );
}
