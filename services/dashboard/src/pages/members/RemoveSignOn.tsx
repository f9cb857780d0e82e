import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { SSO } from '../../api/sso.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { SIGN_ON_TEXTS as TEXTS } from './texts.ts';

/** Turns single sign-on off, after saying whom that logs out. */
export function RemoveSignOn() {
  const [isAsking, setIsAsking] = useState(false);
  const removing = useAction(() => call('DELETE /dashboard/sso/'), {
    stale: [SSO],
    done: 'Single sign-on removed',
    failed: 'Could not remove single sign-on',
    then: () => setIsAsking(false),
  });
  return (
    <>
      <Button variant="outline" color="red" mt={12} onClick={() => setIsAsking(true)}>
        {TEXTS.remove}
      </Button>
      <Modal opened={isAsking} onClose={() => setIsAsking(false)} title={TEXTS.remove}>
        <Text size="sm">
          Everyone who logged in at your provider is logged out now. They stay members, and need a password to
          come back.
        </Text>
        <Group justify="flex-end" mt={16}>
          <Button variant="default" onClick={() => setIsAsking(false)}>
            Cancel
          </Button>
          <Button color="red" loading={removing.isPending} onClick={() => removing.mutate()}>
            {TEXTS.remove}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
