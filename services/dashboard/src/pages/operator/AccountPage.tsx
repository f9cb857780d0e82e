import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type OperatorAccountDetail, operatorAccountQuery } from '../../api/operator.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { formatCount } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import breadcrumb from '../../ui/page/Breadcrumb.module.css';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Facts } from '../../ui/page/Facts.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { StateMark } from '../../ui/page/StateMark.tsx';
import { QuotaBar } from '../../ui/quota/QuotaBar.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { actionWords } from '../audit/action-words.ts';
import { AccountActions } from './AccountActions.tsx';
import { OPERATOR_TEXTS, ACCOUNT_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/operator/accounts/$id');

/** One account for support: plan, use, people, keys and its last actions. */
export function AccountPage() {
  const { id } = route.useParams();
  const account = useQuery(operatorAccountQuery(id));
  return (
    <>
      <nav className={breadcrumb.back} aria-label="Breadcrumb">
        <Link to="/operator/accounts">{OPERATOR_TEXTS.accounts}</Link>
      </nav>
      <Loaded query={account} what="the account" rows={10}>
        {(detail) => <Details detail={detail} />}
      </Loaded>
    </>
  );
}

function Details({ detail }: { detail: OperatorAccountDetail }) {
  const { account, users, keys, events, suspended_at: suspended, suspended_reason: reason } = detail;
  return (
    <>
      <div className={panel.two}>
        <Section title={account.name} aside={<AccountActions detail={detail} />}>
          <Facts
            facts={[
              [
                'Status',
                suspended ? (
                  <StateMark key="status" state="bad">
                    suspended <Time at={suspended} relative />
                    {reason && `: ${reason}`}
                  </StateMark>
                ) : (
                  <StateMark key="status" state="good">
                    active
                  </StateMark>
                ),
              ],
              ['Account id', <CopyId key="id" id={account.id} whole />],
              [
                'Plan',
                account.requested_plan ? `${account.plan}, requests ${account.requested_plan}` : account.plan,
              ],
              ['Registered (UTC)', <Time key="since" at={account.created_at} />],
              ['Logins', users.map(({ email }) => email).join(', ') || 'none'],
            ]}
          />
        </Section>
        <Section title="This month">
          <p>
            <strong>{formatCount(account.checks_used)}</strong> of {formatCount(account.checks_limit)}
          </p>
          <QuotaBar used={account.checks_used} limit={account.checks_limit} />
        </Section>
      </div>
      <Section title="Keys">
        {keys.length === 0 ? (
          <EmptyState title="No keys" text="This account has not created a key yet." />
        ) : (
          <DataTable
            label="Keys"
            rows={keys}
            rowKey={({ id }) => id}
            columns={[
              { name: 'Name', render: ({ name }) => name },
              {
                name: 'Ends with',
                width: '96px',
                from: 'tablet',
                render: ({ last_four: end }) => <code>…{end}</code>,
              },
              { name: 'Status', width: '92px', render: ({ status }) => status },
              { name: 'Client', width: '170px', from: 'tablet', render: ({ client }) => client ?? '–' },
              { name: 'Last used (UTC)', time: ({ last_used_at: at }) => at, never: 'never', from: null },
            ]}
          />
        )}
      </Section>
      <Section title="Last actions" note="The last 50. Details stay with the customer.">
        <DataTable
          label="Last actions"
          rows={events}
          rowKey={({ id }) => id}
          columns={[
            { name: 'Action', render: ({ action }) => actionWords(action) },
            { name: 'By', width: '110px', from: 'tablet', render: ({ by }) => TEXTS.actors[by] },
            { name: 'Time (UTC)', time: ({ created_at: at }) => at, from: null },
          ]}
        />
      </Section>
    </>
  );
}
