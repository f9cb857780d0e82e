import { Button, Menu, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { mayOperate } from '@verdict/contracts/routes/rights.js';
import { useState } from 'react';
import { meQuery } from '../../api/account.ts';
import { call } from '../../api/call.ts';
import { OPERATOR, type OperatorAccountDetail } from '../../api/operator.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { ACCOUNT_ACTION_TEXTS as TEXTS } from './texts.ts';

type Act = 'plan' | 'suspend' | 'resume' | 'reset';

/** The actions of an operator on an account; both audit logs record each. */
export function AccountActions({ detail }: { detail: OperatorAccountDetail }) {
  const { account, plans, mail, suspended_at: suspended } = detail;
  const [act, setAct] = useState<Act | null>(null);
  const of = { params: { id: account.id } };
  const acting = useAction(
    (form: FormData): Promise<unknown> => {
      const text = (name: string) => String(form.get(name)).trim();
      if (act === 'plan')
        return call('PUT /operator/accounts/:id/plan/', { ...of, body: { plan: text('plan') } });
      if (act === 'suspend')
        return call('POST /operator/accounts/:id/suspend/', { ...of, body: { reason: text('reason') } });
      return call(`POST /operator/accounts/:id/${act === 'resume' ? 'resume' : 'password-reset'}/`, of);
    },
    { stale: [OPERATOR], done: () => TEXTS.done[act ?? 'plan'], then: () => setAct(null) },
  );
  const { data: me } = useQuery(meQuery);
  const role = me?.user.operator_role ?? 'support';
  const maySetPlan = mayOperate(role, 'PUT /operator/accounts/:id/plan/');
  const maySuspend = mayOperate(role, 'POST /operator/accounts/:id/suspend/');
  const close = () => {
    setAct(null);
    acting.reset();
  };
  if (!maySetPlan && !maySuspend) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" size="xs">
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {maySetPlan && <Menu.Item onClick={() => setAct('plan')}>{TEXTS.titles.plan}</Menu.Item>}
          {maySuspend && (
            <>
              <Menu.Item onClick={() => setAct('reset')}>{TEXTS.titles.reset}</Menu.Item>
              <Menu.Divider />
              {suspended ? (
                <Menu.Item onClick={() => setAct('resume')}>{TEXTS.titles.resume}</Menu.Item>
              ) : (
                <Menu.Item data-tone="danger" onClick={() => setAct('suspend')}>
                  {TEXTS.titles.suspend}
                </Menu.Item>
              )}
            </>
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
          action={acting}
          onClose={close}
        >
          <p>
            {act === 'reset' && !mail
              ? 'This server sends no mail. Reset the password on the server:'
              : TEXTS.texts[act]}
          </p>
          {act === 'reset' && !mail && (
            <CodeBlock
              code="npx verdict users reset-password customer@example.com"
              label={TEXTS.titles.reset}
            />
          )}
          {act === 'plan' && (
            <NativeSelect
              label="Plan"
              name="plan"
              defaultValue={account.plan}
              data={[...plans]}
              error={fieldError(acting.error, 'plan', 'Plan')}
              data-autofocus
            />
          )}
          {act === 'suspend' && (
            <TextInput
              label="Reason"
              description="The customer sees it in the audit log."
              name="reason"
              maxLength={200}
              required
              error={fieldError(acting.error, 'reason', 'Reason')}
              data-autofocus
            />
          )}
        </FormDialog>
      )}
    </>
  );
}
