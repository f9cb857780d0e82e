import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { DECISIONS } from '@verdict/domain/decision.js';
import { meQuery } from '../../api/account.ts';
import { type Statement, statementQuery } from '../../api/billing.ts';
import { addressOf } from '../../api/call.ts';
import { keysQuery } from '../../api/keys.ts';
import { IconPrinter } from '../../icons.tsx';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { formatCount, formatMonth } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import breadcrumb from '../../ui/page/Breadcrumb.module.css';
import { Facts } from '../../ui/page/Facts.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { Checksum } from './Checksum.tsx';
import { StatementLines } from './StatementLines.tsx';
import classes from './StatementPage.module.css';
import { StatementTags } from './StatementTags.tsx';

const route = getRouteApi('/app/billing/statements/$month');

export function StatementPage() {
  const { month } = route.useParams();
  const statement = useQuery(statementQuery(month));
  const me = useQuery(meQuery);
  const title = /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? `Statement for ${formatMonth(month)}` : month;
  return (
    <>
      <nav className={breadcrumb.back} aria-label="Breadcrumb">
        <Link to="/billing">Plan and invoices</Link>
      </nav>
      <PageHeader title={title}>
        <DownloadButton
          from={addressOf('GET /billing/statements/:month/', { params: { month }, query: { format: 'csv' } })}
          name={`verdict-statement-${month}.csv`}
          label="Save CSV"
        />
        <Button leftSection={<IconPrinter size={15} />} onClick={() => window.print()}>
          Print
        </Button>
      </PageHeader>
      <Loaded query={statement} what="the statement" rows={10}>
        {(data) => (
          <Loaded query={me} what="the account" rows={10}>
            {({ account }) => (
              <Paper statement={data.statement} accountId={account.id} accountName={account.name} />
            )}
          </Loaded>
        )}
      </Loaded>
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
          ['Account', `${accountName} (${accountId})`],
          ['Plan at closing', statement.plan],
          ['Closed (UTC)', <Time key="closed" at={statement.closed_at} />],
        ]}
      />
      <table className={classes.sum}>
        <caption className="v-offscreen">Total</caption>
        <tbody>
          <tr>
            <th scope="row">Checks of this month</th>
            <td>{formatCount(statement.used)}</td>
          </tr>
          <tr>
            <th scope="row">
              Adjusted
              <small>
                Checks and corrections of earlier months, found after those months closed. They are billed
                here once; a negative number is a credit.
              </small>
            </th>
            <td>{formatCount(statement.adjusted)}</td>
          </tr>
          <tr>
            <th scope="row">Included, by the days of each plan</th>
            <td>−{formatCount(statement.entitled)}</td>
          </tr>
          <tr>
            <th scope="row">
              Over quota
              <small>
                Checks of this month, minus those included by the days of each plan. Never below zero.
              </small>
            </th>
            <td>{formatCount(statement.over)}</td>
          </tr>
        </tbody>
      </table>
      <div className={panel.two}>
        <Section title="By decision">
          <DataTable
            label="By decision"
            rows={DECISIONS}
            rowKey={(decision) => decision}
            columns={[
              { name: 'Decision', render: (decision) => <DecisionMark decision={decision} /> },
              {
                name: 'Checks',
                width: '120px',
                figure: true,
                render: (decision) => formatCount(statement.by_decision[decision] ?? 0),
              },
            ]}
          />
        </Section>
        <Section title="By key">
          <DataTable
            label="By key"
            rows={Object.entries(statement.by_key)}
            rowKey={([id]) => id}
            columns={[
              { name: 'Key', render: ([id]) => nameOf(id) },
              {
                name: 'Checks',
                width: '120px',
                figure: true,
                render: ([, checks]) => formatCount(checks),
              },
            ]}
          />
        </Section>
      </div>
      <StatementTags statement={statement} />
      <StatementLines statement={statement} />
      <Checksum statement={statement} accountId={accountId} />
    </>
  );
}
