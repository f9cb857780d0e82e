import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { addEntry, LISTS, type ListName } from '../../api/lists.ts';
import { LOGS } from '../../api/logs.ts';
import { showError } from '../../ui/error/show-error.ts';
import classes from './LogPanel.module.css';
import { LOG_TEXTS as TEXTS } from './texts.ts';

/** An address or its domain on the allow or block list, in one click. */
export function ListActions({ email }: { email: string }) {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const client = useQueryClient();
  const adding = useMutation({
    mutationFn: ({ list, value }: { list: ListName; value: string }) => addEntry(list, value, ''),
    onSuccess: async (_, { list, value }) => {
      notifications.show({ title: TEXTS.added(value, list), message: TEXTS.immediately });
      await Promise.all([
        client.invalidateQueries({ queryKey: LISTS }),
        client.invalidateQueries({ queryKey: [...LOGS, 'evidence'] }),
      ]);
    },
    onError: showError(TEXTS.actFailed),
  });
  const button = (list: ListName, value: string, label: string) => (
    <Button
      variant="default"
      size="xs"
      loading={adding.isPending && adding.variables.list === list && adding.variables.value === value}
      onClick={() => adding.mutate({ list, value })}
    >
      {label}
    </Button>
  );
  return (
    <div className={classes.actions}>
      {button('allow', email, TEXTS.allowAddress)}
      {button('block', email, TEXTS.blockAddress)}
      {button('allow', domain, TEXTS.allowDomain(domain))}
      {button('block', domain, TEXTS.blockDomain(domain))}
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        renderRoot={(props) => <Link to="/playground" search={{ email }} {...props} />}
      >
        {TEXTS.again}
      </Button>
    </div>
  );
}
