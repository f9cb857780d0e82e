import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type OperatorAccountDetail, operatorAccountQuery } from '../../api/operator.ts';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { formatCount } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import breadcrumb from '../../ui/page/Breadcrumb.module.css';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Facts } from '../../ui/page/Facts.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
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
      {account.error ? (
        <ErrorNotice title={TEXTS.failed} error={account.error} onRetry={() => void account.refetch()} />
      ) : account.data ? (
        <Details detail={account.data} />
      ) : (
        <SkeletonRows rows={10} label={OPERATOR_TEXTS.loading} />
      )}
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
                TEXTS.status,
                suspended ? (
                  <StateMark key="status" state="bad">
                    {TEXTS.suspended} <Time at={suspended} relative />
                    {reason && `: ${reason}`}
                  </StateMark>
                ) : (
                  <StateMark key="status" state="good">
                    {TEXTS.active}
                  </StateMark>
                ),
              ],
              [TEXTS.id, <CopyId key="id" id={account.id} whole />],
              [
                TEXTS.plan,
                account.requested_plan ? TEXTS.asks(account.plan, account.requested_plan) : account.plan,
              ],
              [TEXTS.since, <Time key="since" at={account.created_at} />],
              [TEXTS.people, users.map(({ email }) => email).join(', ') || TEXTS.none],
            ]}
          />
        </Section>
        <Section title={TEXTS.usage}>
          <p>
            <strong>{formatCount(account.checks_used)}</strong> {TEXTS.of} {formatCount(account.checks_limit)}
          </p>
          <QuotaBar used={account.checks_used} limit={account.checks_limit} />
        </Section>
      </div>
      <Section title={TEXTS.keys}>
        {keys.length === 0 ? (
          <EmptyState title={TEXTS.noKeys} text={TEXTS.noKeysText} />
        ) : (
          <DataTable
            label={TEXTS.keys}
            rows={keys}
            rowKey={({ id }) => id}
            columns={[
              { name: TEXTS.keyName, render: ({ name }) => name },
              {
                name: TEXTS.ends,
                width: '96px',
                from: 'tablet',
                render: ({ last_four: end }) => <code>…{end}</code>,
              },
              { name: TEXTS.status, width: '92px', render: ({ status }) => status },
              {
                name: TEXTS.lastUse,
                width: '172px',
                figure: true,
                render: ({ last_used_at: at }) => (at ? <Time at={at} relative /> : TEXTS.never),
              },
            ]}
          />
        )}
      </Section>
      <Section title={TEXTS.audit} note={TEXTS.auditNote}>
        <DataTable
          label={TEXTS.audit}
          rows={events}
          rowKey={({ id }) => id}
          columns={[
            { name: TEXTS.action, render: ({ action }) => actionWords(action) },
            { name: TEXTS.by, width: '110px', from: 'tablet', render: ({ by }) => TEXTS.actors[by] },
            {
              name: TEXTS.when,
              width: '172px',
              figure: true,
              render: ({ created_at: at }) => <Time at={at} relative />,
            },
          ]}
        />
      </Section>
    </>
  );
}
