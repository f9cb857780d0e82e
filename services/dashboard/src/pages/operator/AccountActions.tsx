import { Button, Menu, NativeSelect, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  OPERATOR,
  type OperatorAccountDetail,
  resumeAccount,
  sendPasswordReset,
  setAccountPlan,
  suspendAccount,
} from '../../api/operator.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { ACCOUNT_ACTION_TEXTS as TEXTS } from './texts.ts';

type Act = 'plan' | 'suspend' | 'resume' | 'reset';

/** The actions of an operator on an account; both audit logs record each. */
export function AccountActions({ detail }: { detail: OperatorAccountDetail }) {
  const { account, plans, mail, suspended_at: suspended } = detail;
  const [act, setAct] = useState<Act | null>(null);
  const client = useQueryClient();
  const acting = useMutation({
    mutationFn: (form: FormData): Promise<unknown> => {
      const text = (name: string) => String(form.get(name)).trim();
      if (act === 'plan') return setAccountPlan(account.id, text('plan'));
      if (act === 'suspend') return suspendAccount(account.id, text('reason'));
      if (act === 'resume') return resumeAccount(account.id);
      return sendPasswordReset(account.id);
    },
    onSuccess: async () => {
      if (act) notifications.show({ message: TEXTS.done[act] });
      close();
      await client.invalidateQueries({ queryKey: OPERATOR });
    },
  });
  const close = () => {
    setAct(null);
    acting.reset();
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" size="xs">
            {TEXTS.actions}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAct('plan')}>{TEXTS.titles.plan}</Menu.Item>
          <Menu.Item onClick={() => setAct('reset')}>{TEXTS.titles.reset}</Menu.Item>
          <Menu.Divider />
          {suspended ? (
            <Menu.Item onClick={() => setAct('resume')}>{TEXTS.titles.resume}</Menu.Item>
          ) : (
            <Menu.Item data-tone="danger" onClick={() => setAct('suspend')}>
              {TEXTS.titles.suspend}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {act && (
        <FormDialog
          title={`${TEXTS.titles[act]}: ${account.name}`}
          submit={TEXTS.submits[act]}
          danger={act === 'suspend'}
          ready={act !== 'reset' || mail}
          fields={['plan', 'reason']}
          acting={acting}
          onSubmit={acting.mutate}
          onClose={close}
        >
          <p>{act === 'reset' && !mail ? TEXTS.noMail : TEXTS.texts[act]}</p>
          {act === 'reset' && !mail && <CodeBlock code={TEXTS.resetCommand} label={TEXTS.titles.reset} />}
          {act === 'plan' && (
            <NativeSelect
              label={TEXTS.plan}
              name="plan"
              defaultValue={account.plan}
              data={[...plans]}
              error={fieldError(acting.error, 'plan', TEXTS.plan)}
              data-autofocus
            />
          )}
          {act === 'suspend' && (
            <TextInput
              label={TEXTS.reason}
              description={TEXTS.reasonHint}
              name="reason"
              maxLength={200}
              required
              error={fieldError(acting.error, 'reason', TEXTS.reason)}
              data-autofocus
            />
          )}
        </FormDialog>
      )}
    </>
  );
}
