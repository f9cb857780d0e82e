import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery, secondFactorQuery, sessionsQuery } from '../../api/account.ts';
import { session } from '../../api/session.ts';
import { useMay } from '../../shell/use-may.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { Time } from '../../ui/format/Time.tsx';
import { Facts } from '../../ui/page/Facts.tsx';
import { Loaded, problemOf } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonBlock, SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { Address } from './Address.tsx';
import { LeaveAccount } from './LeaveAccount.tsx';
import { Leaving } from './Leaving.tsx';
import { Name } from './Name.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { Sessions } from './Sessions.tsx';
import { TwoFactor } from './TwoFactor.tsx';
import { ACCOUNT_TEXTS as TEXTS } from './texts.ts';

export function AccountPage() {
  const me = useQuery(meQuery);
  // The sections below wait for these, so that nothing moves.
  const may = useMay();
  const waiting = [useQuery(secondFactorQuery), useQuery(sessionsQuery)].some(
    (query) => query.isPending && !problemOf(query),
  );
  return (
    <>
      <PageHeader title="Account" />
      <div className={panel.two}>
        <div>
          <Section title="You">
            <Loaded
              query={me}
              what="the account"
              skeleton={<SkeletonBlock height={196} phoneHeight={216} label="Loading the account" />}
            >
              {(data) => (
                <Facts
                  facts={[
                    [TEXTS.name, <Name key="name" name={data.user.name} />],
                    ['Email', <Address key="email" me={data} />],
                    ['Registered (UTC)', <Time key="since" at={data.user.created_at} />],
                    ['Account', data.account.name],
                    ['Role', data.account.role],
                    ['Account id', <CopyId key="id" id={data.account.id} whole />],
                    [
                      'Plan',
                      may('PUT /billing/subscription/') ? (
                        <Link key="plan" to="/billing">
                          {data.account.plan}
                        </Link>
                      ) : (
                        data.account.plan
                      ),
                    ],
                  ]}
                />
              )}
            </Loaded>
          </Section>
        </div>
        <PasswordForm />
      </div>
      {waiting ? (
        <SkeletonRows rows={8} label="Loading the settings" />
      ) : (
        <>
          <TwoFactor />
          <Sessions />
          <Section title="Log out" note="Ends this session in every tab.">
            <Button variant="default" onClick={() => void session.logOut()}>
              Log out
            </Button>
          </Section>
          {me.data &&
            (may('DELETE /auth/users/me/') ? <Leaving me={me.data} /> : <LeaveAccount me={me.data} />)}
        </>
      )}
    </>
  );
}
