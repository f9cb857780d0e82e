import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { POLICIES, setShadow } from '../../api/policies.ts';
import { showError } from '../../ui/error/show-error.ts';
import { VERSIONS_TEXTS as TEXTS } from './texts.ts';

/** Puts a version into the shadow, or none. */
export function useShadow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (version: number | null) => setShadow(version),
    onSuccess: ({ shadow }) =>
      notifications.show(
        shadow === null
          ? { title: TEXTS.shadowEnded, message: TEXTS.shadowEndedText }
          : { title: TEXTS.shadowSet(shadow), message: TEXTS.shadowSetText },
      ),
    onError: showError(TEXTS.shadowFailed),
    onSettled: () => client.invalidateQueries({ queryKey: POLICIES }),
  });
}
