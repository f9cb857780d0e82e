import { Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { accountSettingsQuery } from '../../api/account.ts';
import { type Body, call } from '../../api/call.ts';
import { useMay } from '../../shell/use-may.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { PrecisionSection } from './PrecisionSection.tsx';

const SWITCHES = {
  bursts: {
    label: 'Score repeated sign-ups',
    hint: 'Challenges the third spelling of a mailbox within 7 days, and numbered addresses such as user01 and user02 at one domain.',
  },
  burst_mails: {
    label: 'Mail about repeated sign-ups',
    hint: 'Owners, admins and analysts get one mail when an attack begins and one when it is over.',
  },
  ip_intelligence: {
    label: 'Look up IP addresses',
    hint: 'Shows the network behind an IP address, also to rules of your policy. It does not change the score.',
  },
};

/** The switches of the account that decide how its checks are scored. */
export function ScoringPage() {
  const settings = useQuery(accountSettingsQuery);
  const client = useQueryClient();
  const may = useMay();
  const change = useAction(
    (body: Body<'PATCH /dashboard/settings/'>) => call('PATCH /dashboard/settings/', { body }),
    { then: (next) => client.setQueryData(accountSettingsQuery.queryKey, next) },
  );
  return (
    <>
      <PageHeader title="Scoring" intro="Choose what Verdict looks at. Changes apply to the next check." />
      {change.error && <ErrorNotice title="Could not change the setting" error={change.error} />}
      <Loaded query={settings} what="the scoring settings" rows={2}>
        {(data) => (
          <div style={{ display: 'grid', gap: 12, marginBottom: 32 }}>
            {(['bursts', 'burst_mails', 'ip_intelligence'] as const).map((name) => (
              <Checkbox
                key={name}
                label={SWITCHES[name].label}
                description={SWITCHES[name].hint}
                checked={data[name]}
                disabled={change.isPending || !may('PATCH /dashboard/settings/')}
                onChange={({ currentTarget }) => change.mutate({ [name]: currentTarget.checked })}
              />
            ))}
          </div>
        )}
      </Loaded>
      {may('GET /dashboard/outcomes/precision/') && <PrecisionSection />}
    </>
  );
}
