import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { meQuery } from '../../api/account.ts';
import { type Statement, statementQuery } from '../../api/billing.ts';
import { addressOf } from '../../api/call.ts';
import { keysQuery } from '../../api/keys.ts';
import { IconPrinter } from '../../icons.tsx';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { formatCount, formatMonth } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import breadcrumb from '../../ui/page/Breadcrumb.module.css';
import { Facts } from '../../ui/page/Facts.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { DECISIONS } from '../../ui/verdict/decisions.ts';
import { Checksum } from './Checksum.tsx';
import { StatementLines } from './StatementLines.tsx';
import classes from './StatementPage.module.css';
import { STATEMENT_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/billing/statements/$month');

export function StatementPage() {
  const { month } = route.useParams();
  const statement = useQuery(statementQuery(month));
  const me = useQuery(meQuery);
  const title = /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? TEXTS.title(formatMonth(month)) : month;
  return (
    <>
      <nav className={breadcrumb.back} aria-label="Breadcrumb">
        <Link to="/billing">{TEXTS.back}</Link>
      </nav>
      <PageHeader title={title}>
        <DownloadButton
          from={addressOf('GET /billing/statements/:month/', { params: { month }, query: { format: 'csv' } })}
          name={`verdict-statement-${month}.csv`}
          label={TEXTS.csv}
        />
        <Button leftSection={<IconPrinter size={15} />} onClick={() => window.print()}>
          {TEXTS.print}
        </Button>
      </PageHeader>
      {statement.error ? (
        <ErrorNotice title={TEXTS.failed} error={statement.error} onRetry={() => void statement.refetch()} />
      ) : statement.data && me.data ? (
        <Paper
          statement={statement.data.statement}
          accountId={me.data.account.id}
          accountName={me.data.account.name}
        />
      ) : (
        <SkeletonRows rows={10} label={TEXTS.loading} />
      )}
    </>
  );
}

function Paper({
  statement,
  accountId,
  accountName,
}: {
  statement: Statement;
  accountId: string;
  accountName: string;
}) {
  const keys = useQuery(keysQuery);
  const nameOf = (id: string) => keys.data?.keys.find((key) => key.id === id)?.name ?? id;
  return (
    <>
      <Facts
        facts={[
          [TEXTS.account, `${accountName} (${accountId})`],
          [TEXTS.plan, statement.plan],
          [TEXTS.closed, <Time key="closed" at={statement.closed_at} />],
        ]}
      />
      <table className={classes.sum}>
        <caption className="v-offscreen">{TEXTS.sum}</caption>
        <tbody>
          <tr>
            <th scope="row">{TEXTS.used}</th>
            <td>{formatCount(statement.used)}</td>
          </tr>
          <tr>
            <th scope="row">
              {TEXTS.adjusted}
              <small>{TEXTS.adjustedNote}</small>
            </th>
            <td>{formatCount(statement.adjusted)}</td>
          </tr>
          <tr>
            <th scope="row">{TEXTS.entitled}</th>
            <td>−{formatCount(statement.entitled)}</td>
          </tr>
          <tr>
            <th scope="row">
              {TEXTS.over}
              <small>{TEXTS.overNote}</small>
            </th>
            <td>{formatCount(statement.over)}</td>
          </tr>
        </tbody>
      </table>
      <div className={panel.two}>
        <Section title={TEXTS.byDecision}>
          <DataTable
            label={TEXTS.byDecision}
            rows={DECISIONS}
            rowKey={(decision) => decision}
            columns={[
              { name: TEXTS.decision, render: (decision) => <DecisionMark decision={decision} /> },
              {
                name: TEXTS.checks,
                width: '120px',
                figure: true,
                render: (decision) => formatCount(statement.by_decision[decision] ?? 0),
              },
            ]}
          />
        </Section>
        <Section title={TEXTS.byKey}>
          <DataTable
            label={TEXTS.byKey}
            rows={Object.entries(statement.by_key)}
            rowKey={([id]) => id}
            columns={[
              { name: TEXTS.key, render: ([id]) => nameOf(id) },
              {
                name: TEXTS.checks,
                width: '120px',
                figure: true,
                render: ([, checks]) => formatCount(checks),
              },
            ]}
          />
        </Section>
      </div>
      <StatementLines statement={statement} />
      <Checksum statement={statement} accountId={accountId} />
    </>
  );
}
