import { useQuery } from '@tanstack/react-query';
import { type OperatorSystem, operatorSystemQuery } from '../../api/operator.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { formatAge, formatCount } from '../../ui/format/format.ts';
import { Facts } from '../../ui/page/Facts.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { StateMark } from '../../ui/page/StateMark.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { type HealthCheck, healthOf } from './health.ts';
import { OPERATOR_TEXTS, SYSTEM_TEXTS as TEXTS } from './texts.ts';

export function SystemTab() {
  const system = useQuery(operatorSystemQuery);
  if (system.error)
    return <ErrorNotice title={TEXTS.failed} error={system.error} onRetry={() => void system.refetch()} />;
  if (!system.data) return <SkeletonRows label={OPERATOR_TEXTS.loading} />;
  const { queue, datasets } = system.data;
  return (
    <>
      <Health checks={healthOf(system.data, Date.now())} />
      <div className={panel.two}>
        <div>
          <Section title={TEXTS.queue} note={TEXTS.queueNote}>
            {queue === null ? (
              <p className={panel.note}>{TEXTS.noQueue}</p>
            ) : (
              <Facts
                facts={[
                  [TEXTS.waiting, formatCount(queue.waiting)],
                  [TEXTS.active, formatCount(queue.active)],
                  [TEXTS.delayed, formatCount(queue.delayed)],
                  [TEXTS.failedJobs, formatCount(queue.failed)],
                  [
                    TEXTS.oldest,
                    queue.oldest_seconds === null ? TEXTS.none : formatAge(queue.oldest_seconds),
                  ],
                  [
                    TEXTS.deadLetters,
                    queue.dead_letters === 0 ? TEXTS.none : <strong>{queue.dead_letters}</strong>,
                  ],
                  [TEXTS.seen, TEXTS.ago(formatAge(queue.age_seconds))],
                ]}
              />
            )}
          </Section>
        </div>
        <Section title={TEXTS.datasets}>
          {datasets === null ? (
            <p className={panel.note}>{TEXTS.noDatasets}</p>
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
    <Section title={TEXTS.health} note={TEXTS.healthNote}>
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

function Datasets({ datasets }: { datasets: NonNullable<OperatorSystem['datasets']> }) {
  const rows = [
    {
      name: TEXTS.disposable,
      version: datasets.disposable_domains.version,
      count: datasets.disposable_domains.count,
    },
    { name: TEXTS.free, version: datasets.free_providers.version, count: null },
    { name: TEXTS.roles, version: datasets.role_prefixes.version, count: null },
  ];
  return (
    <DataTable
      label={TEXTS.datasets}
      rows={rows}
      rowKey={({ name }) => name}
      columns={[
        { name: TEXTS.dataset, render: ({ name }) => name },
        {
          name: TEXTS.entries,
          width: '90px',
          figure: true,
          render: ({ count }) => (count === null ? '–' : formatCount(count)),
        },
        { name: TEXTS.version, width: '110px', figure: true, render: ({ version }) => version },
      ]}
    />
  );
}
