import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { authSettingsQuery } from '../../api/account.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import classes from './SignedOutPage.module.css';

/** The login of operators, where this server has a provider for them. */
export function OperatorSignOn() {
  const settings = useQuery(authSettingsQuery);
  const starting = useAction(() =>
    call('POST /auth/sso/operators/').then(({ url }) => window.location.assign(url)),
  );
  if (!settings.data?.operator_sso) return null;
  return (
    <div className={classes.form}>
      {starting.error && <ErrorNotice error={starting.error} />}
      <Button variant="default" loading={starting.isPending} onClick={() => starting.mutate()}>
        Log in as an operator
      </Button>
    </div>
  );
}
