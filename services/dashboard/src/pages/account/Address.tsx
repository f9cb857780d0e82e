import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { askToConfirm, authSettingsQuery, type Me } from '../../api/account.ts';
import { showError } from '../../ui/error/show-error.ts';
import { CONFIRM_TEXTS as TEXTS } from './texts.ts';

/** The address of the user, and whether it is known to be theirs where that can be asked. */
export function Address({ me }: { me: Me }) {
  const settings = useQuery(authSettingsQuery);
  const asking = useMutation({
    mutationFn: askToConfirm,
    onSuccess: () => notifications.show({ message: TEXTS.sent }),
    onError: showError(TEXTS.failed),
  });
  const { email, email_verified: verified } = me.user;
  if (!settings.data?.mail) return email;
  return (
    <>
      {email} ({verified ? TEXTS.confirmed : TEXTS.unconfirmed}){' '}
      {!verified && (
        <Button
          variant="default"
          size="compact-xs"
          loading={asking.isPending}
          onClick={() => asking.mutate()}
        >
          {TEXTS.ask}
        </Button>
      )}
    </>
  );
}
