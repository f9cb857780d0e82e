import { Checkbox } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { accountSettingsQuery, changeAccountSettings } from '../../api/account.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { SCORING_TEXTS as TEXTS } from './texts.ts';

/** The switches of the account that decide how its checks are scored. */
export function Scoring() {
  const settings = useQuery(accountSettingsQuery);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: changeAccountSettings,
    onSuccess: (next) => client.setQueryData(accountSettingsQuery.queryKey, next),
  });
  return (
    <Section title={TEXTS.title} note={TEXTS.note}>
      {settings.error && <ErrorNotice error={settings.error} onRetry={() => void settings.refetch()} />}
      {change.error && <ErrorNotice title={TEXTS.failed} error={change.error} />}
      {settings.data ? (
        <div style={{ display: 'grid', gap: 12 }}>
          {(['bursts', 'ip_intelligence'] as const).map((name) => (
            <Checkbox
              key={name}
              label={TEXTS[name]}
              description={TEXTS[`${name}Hint`]}
              checked={settings.data[name]}
              disabled={change.isPending}
              onChange={({ currentTarget }) => change.mutate({ [name]: currentTarget.checked })}
            />
          ))}
        </div>
      ) : (
        <SkeletonRows rows={2} label={TEXTS.loading} />
      )}
    </Section>
  );
}
