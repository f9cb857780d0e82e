import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { authSettingsQuery } from '../../api/account.ts';
import { BILLING, type Subscription, spendingQuery } from '../../api/billing.ts';
import { call } from '../../api/call.ts';
import { OVERVIEW } from '../../api/usage.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { formatCount } from '../../ui/format/format.ts';
import { Facts } from '../../ui/page/Facts.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { mostOverQuota, percentagesOf } from './spending-words.ts';
import { SPENDING_TEXTS as TEXTS } from './texts.ts';

/** Where the month stops, what it may cost at most, and when a mail goes out. */
export function SpendingLimits({ subscription }: { subscription: Subscription }) {
  const spending = useQuery(spendingQuery);
  const { mail = true } = useQuery(authSettingsQuery).data ?? {};
  const [editing, setEditing] = useState(false);
  const bills = subscription.overage === 'bill';
  const change = useAction(
    (form: FormData) => {
      const cap = String(form.get('checks_cap') ?? '').replaceAll(/[\s,]/g, '');
      const body = {
        checks_cap: cap === '' ? null : Number(cap),
        mail_at: percentagesOf(String(form.get('mail_at') ?? '')),
      };
      return call('PUT /billing/spending/', { body });
    },
    { stale: [BILLING, OVERVIEW], done: 'Spending limits saved', then: () => setEditing(false) },
  );
  return (
    <Section
      title="Spending limits"
      note={bills ? mostOverQuota(subscription) : TEXTS.blocks(formatCount(subscription.checks_limit))}
      aside={
        spending.data && (
          <Button variant="default" size="xs" onClick={() => setEditing(true)}>
            Edit limits
          </Button>
        )
      }
    >
      <Loaded query={spending} what="the spending limits" rows={2}>
        {({ checks_cap: cap, mail_at: mailAt }) => (
          <>
            <Facts
              facts={[
                [TEXTS.stop, `${formatCount(subscription.checks_limit)} checks a month`],
                [
                  TEXTS.mailAt,
                  mailAt.length > 0 ? mailAt.map((percent) => `${percent}%`).join(', ') : 'never',
                ],
              ]}
            />
            {editing && (
              <FormDialog
                title="Spending limits"
                submit="Save limits"
                fields={['checks_cap', 'mail_at']}
                action={change}
                onClose={() => setEditing(false)}
              >
                {bills && (
                  <TextInput
                    name="checks_cap"
                    label={TEXTS.stop}
                    description={TEXTS.capHint(formatCount(subscription.checks_included))}
                    inputMode="numeric"
                    defaultValue={cap ?? ''}
                    error={fieldError(change.error, 'checks_cap', TEXTS.stop)}
                    autoComplete="off"
                    data-autofocus
                  />
                )}
                <TextInput
                  name="mail_at"
                  label={TEXTS.mailAt}
                  description={mail ? TEXTS.mailHint : TEXTS.noMail}
                  placeholder="80, 100"
                  defaultValue={mailAt.join(', ')}
                  error={fieldError(change.error, 'mail_at', TEXTS.mailAt)}
                  autoComplete="off"
                />
              </FormDialog>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
