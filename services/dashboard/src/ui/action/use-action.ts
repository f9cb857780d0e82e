import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { showError } from '../error/show-error.ts';

type Notice = string | { readonly id?: string; readonly title?: string; readonly message: React.ReactNode };

interface Outcome<Input, Reply> {
  /** The queries that the action makes out of date. */
  readonly stale?: readonly QueryKey[];
  /** The notice after it. */
  readonly done?: Notice | ((reply: Reply, input: Input) => Notice);
  /** The title of the notice when it failed; forms leave it out, because they show the error at their fields. */
  readonly failed?: string;
  readonly then?: (reply: Reply, input: Input) => unknown;
  readonly onError?: (error: Error) => void;
}

/** The work of a button or a form: runs it, reports the outcome and refetches what is out of date. */
export function useAction<Input = void, Reply = unknown>(
  act: (input: Input) => Promise<Reply>,
  { stale = [], done, failed, then, onError }: Outcome<Input, Reply> = {},
) {
  const client = useQueryClient();
  const refresh = () => Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
  return useMutation<Reply, Error, Input>({
    mutationFn: act,
    onSuccess: async (reply, input) => {
      await then?.(reply, input);
      const notice = typeof done === 'function' ? done(reply, input) : done;
      if (notice) notifications.show(typeof notice === 'string' ? { message: notice } : notice);
      await refresh();
    },
    onError: (error) => {
      if (failed) showError(failed)(error);
      onError?.(error);
      // Not awaited: the form shows its error first.
      void refresh();
    },
  });
}
