import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type OperatorSystem, operatorSystemQuery } from '../../api/operator.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { formatAge, formatCount } from '../../ui/format/format.ts';
import { Facts } from '../../ui/page/Facts.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { StateMark } from '../../ui/page/StateMark.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { type HealthCheck, healthOf } from './health.ts';
import { SYSTEM_TEXTS as TEXTS } from './texts.ts';

export function SystemTab() {
  const system = useQuery(operatorSystemQuery);
  return (
    <Loaded query={system} what="the system status">
      {(data) => <System system={data} />}
    </Loaded>
  );
}

function System({ system }: { system: OperatorSystem }) {
  const { queue, datasets, clients, top_accounts: top } = system;
  return (
    <>
      <Health checks={healthOf(system, Date.now())} />
      <Section
        title="Top accounts"
        note="Checks and other requests of the last five minutes. A batch counts its checks."
      >
        {top === null ? (
          <p className={panel.note}>The figures cannot be read right now.</p>
        ) : top.length === 0 ? (
          <p className={panel.note}>No account has sent a request in the last five minutes.</p>
        ) : (
          <TopAccounts accounts={top} />
        )}
      </Section>
      <Section title="Clients" note="The Verdict client that each key used last, within 30 days.">
        {clients.length === 0 ? (
          <p className={panel.note}>No key has been used with a Verdict client.</p>
        ) : (
          <Clients clients={clients} />
        )}
      </Section>
      <div className={panel.two}>
        <div>
          <Section title="Check logs" note="Every answered check passes this queue on its way to the log.">
            {queue === null ? (
              <p className={panel.note}>No worker has reported.</p>
            ) : (
              <Facts
                facts={[
                  ['Waiting', formatCount(queue.waiting)],
                  ['Active', formatCount(queue.active)],
                  ['Delayed', formatCount(queue.delayed)],
                  ['Failed', formatCount(queue.failed)],
                  ['Oldest', queue.oldest_seconds === null ? 'none' : formatAge(queue.oldest_seconds)],
                  ['Dead letters', queue.dead_letters === 0 ? 'none' : <strong>{queue.dead_letters}</strong>],
                  ['Last report', `${formatAge(queue.age_seconds)} ago`],
                ]}
              />
            )}
          </Section>
        </div>
        <Section title="Datasets">
          {datasets === null ? (
            <p className={panel.note}>The scoring service does not answer.</p>
          ) : (
            <Datasets datasets={datasets} />
          )}
        </Section>
      </div>
    </>
  );
}

/** Each part with its threshold, and the command that helps where one is needed. */
function Health({ checks }: { checks: readonly HealthCheck[] }) {
  const commands = checks.filter(({ name, state }) => state !== 'good' && TEXTS.commands[name]);
  return (
    <Section
      title="Health"
      note="Refreshed every five seconds. A square needs you, a ring is worth watching."
    >
      <Facts
        facts={checks.map(({ name, state, value }) => [
          TEXTS.checks[name],
          <StateMark key={name} state={state}>
            {TEXTS.values[name](value)}
          </StateMark>,
        ])}
      />
      {commands.map(({ name }) => (
        <CodeBlock key={name} code={TEXTS.commands[name] ?? ''} label={TEXTS.checks[name]} />
      ))}
    </Section>
  );
}

function TopAccounts({ accounts }: { accounts: NonNullable<OperatorSystem['top_accounts']> }) {
  return (
    <DataTable
      label="Top accounts"
      rows={accounts}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'Account',
          render: ({ id, name }) => (
            <Link to="/operator/accounts/$id" params={{ id }}>
              {name}
            </Link>
          ),
        },
        { name: 'Plan', width: '110px', from: 'tablet', render: ({ plan }) => plan ?? '–' },
        { name: 'Answered', width: '110px', figure: true, render: ({ answered }) => formatCount(answered) },
        { name: 'Refused', width: '100px', figure: true, render: ({ refused }) => formatCount(refused) },
      ]}
    />
  );
}

function Clients({ clients }: { clients: OperatorSystem['clients'] }) {
  return (
    <DataTable
      label="Clients"
      rows={clients}
      rowKey={({ client }) => client}
      columns={[
        { name: 'Client', render: ({ client }) => client.replace('/', ' ') },
        { name: 'Keys', width: '100px', figure: true, render: ({ keys }) => formatCount(keys) },
        { name: 'Accounts', width: '100px', figure: true, render: ({ accounts }) => formatCount(accounts) },
      ]}
    />
  );
}

function Datasets({ datasets }: { datasets: NonNullable<OperatorSystem['datasets']> }) {
  const rows = [
    {
      name: 'Disposable domains',
      version: datasets.disposable_domains.version,
      count: datasets.disposable_domains.count,
    },
    { name: 'Free providers', version: datasets.free_providers.version, count: null },
    { name: 'Role prefixes', version: datasets.role_prefixes.version, count: null },
  ];
  return (
    <DataTable
      label="Datasets"
      rows={rows}
      rowKey={({ name }) => name}
      columns={[
        { name: 'Dataset', render: ({ name }) => name },
        {
          name: 'Entries',
          width: '90px',
          figure: true,
          render: ({ count }) => (count === null ? '–' : formatCount(count)),
        },
        { name: 'Version', width: '110px', figure: true, render: ({ version }) => version },
      ]}
    />
  );
}
