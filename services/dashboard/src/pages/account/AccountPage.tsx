import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accountSettingsQuery, meQuery, secondFactorQuery, sessionsQuery } from '../../api/account.ts';
import { session } from '../../api/session.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { Time } from '../../ui/format/Time.tsx';
import { Facts } from '../../ui/page/Facts.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonBlock, SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { Address } from './Address.tsx';
import { Leaving } from './Leaving.tsx';
import { Name } from './Name.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { Scoring } from './Scoring.tsx';
import { Sessions } from './Sessions.tsx';
import { TwoFactor } from './TwoFactor.tsx';
import { LOG_OUT_TEXTS, ACCOUNT_TEXTS as TEXTS } from './texts.ts';

export function AccountPage() {
  const me = useQuery(meQuery);
  // The sections below wait for these, so that nothing moves.
  const waiting = [useQuery(accountSettingsQuery), useQuery(secondFactorQuery), useQuery(sessionsQuery)].some(
    ({ isPending }) => isPending,
  );
  return (
    <>
      <PageHeader title={TEXTS.title} />
      {me.error && <ErrorNotice title={TEXTS.failed} error={me.error} onRetry={() => void me.refetch()} />}
      <div className={panel.two}>
        <div>
          <Section title={TEXTS.you}>
            {me.data ? (
              <Facts
                facts={[
                  [TEXTS.name, <Name key="name" name={me.data.user.name} />],
                  [TEXTS.email, <Address key="email" me={me.data} />],
                  [TEXTS.since, <Time key="since" at={me.data.user.created_at} />],
                  [TEXTS.account, me.data.account.name],
                  [TEXTS.accountId, <CopyId key="id" id={me.data.account.id} whole />],
                  [
                    TEXTS.plan,
                    <Link key="plan" to="/billing">
                      {me.data.account.plan}
                    </Link>,
                  ],
                ]}
              />
            ) : (
              <SkeletonBlock height={196} phoneHeight={216} label={TEXTS.loading} />
            )}
          </Section>
        </div>
        <PasswordForm />
      </div>
      {waiting ? (
        <SkeletonRows rows={8} label={TEXTS.loading} />
      ) : (
        <>
          <Scoring />
          <TwoFactor />
          <Sessions />
          <Section title={LOG_OUT_TEXTS.title} note={LOG_OUT_TEXTS.note}>
            <Button variant="default" onClick={() => void session.logOut()}>
              {LOG_OUT_TEXTS.submit}
            </Button>
          </Section>
          {me.data && <Leaving me={me.data} />}
        </>
      )}
    </>
  );
}
