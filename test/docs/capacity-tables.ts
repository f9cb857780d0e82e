import { benchResults } from './bench-results.js';
import { markdownTable } from './markdown-table.js';

const CORE_SHARE = 0.6;
const [DAY_SECONDS, HOUR_SECONDS] = [86_400, 3_600];
const BILLION = { checks: 1e9, average: 386, peak: 2_000, retentionMonths: 3 };

const latest = benchResults('latest');
const { redis_bytes: redis, postgres_bytes_per_check: stored, ...sizes } = benchResults('sizes');
const us = (name: string): number => latest.verdict.people.cpuMicros[name] ?? 0;
/** Cores that so many checks a second keep busy. */
const cores = (perSecond: number, ...names: string[]): number =>
  (perSecond * names.reduce((sum, name) => sum + us(name), 0)) / 1e6;
const bytesOf = ({ heap, indexes }: { heap: number; indexes: number }): number => heap + indexes;
const factBytes = bytesOf(stored.check_logs);
const subjectBytes = bytesOf(stored.check_subjects);
const queuedBytes = [redis.waiting_log_gathered.bytes, redis.waiting_log_alone.bytes] as const;

/** Machines for so many checks a second, and the cost of each process. */
export function capacityTables(): string {
  const from = `CPU was measured on ${latest.measuredOn} (${latest.machine}), sizes on ${sizes.measuredOn}; the machines are arithmetic.\n`;
  return (
    from +
    markdownTable(
      [
        'checks/s',
        'gateways',
        'scoring',
        'workers',
        'Redis',
        'Postgres CPU and growth a day',
        'Redis for an hour without Postgres',
      ],
      [1_000, 10_000, 100_000].map(machinesFor),
    ) +
    markdownTable(
      ['part', 'CPU per check at 64 connections', 'checks/s per core', 'memory'],
      [
        part('gateway', megabytes('gateway')),
        part('scoring', megabytes('scoring')),
        part(
          'redis',
          `${tens(redis.account_with_one_key)} B an account, ${tens(queuedBytes[0])} to ${tens(queuedBytes[1])} B a queued check`,
        ),
        part('worker', megabytes('worker')),
        part(
          'postgres',
          `${tens(factBytes + subjectBytes)} B a check on disk, ${tens(subjectBytes)} of it deleted by retention`,
        ),
      ],
    )
  );
}

/** The share of each part in a billion checks a month. */
export function billionTable(): string {
  const { checks, average, peak, retentionMonths } = BILLION;
  const at = (...names: string[]) =>
    `${cores(average, ...names).toFixed(2)} core on average, ${cores(peak, ...names).toFixed(1)} at the peak`;
  const large = benchResults('facts').sizes.at(-1);
  if (!large) throw new Error('bench/results/facts.json has no sizes');
  const times = checks / (large.facts / large.months);
  const hours = (name: string) => ((large.ms[name] ?? 0) * times) / 1_000 / HOUR_SECONDS;
  return markdownTable(
    ['part', 'a billion a month'],
    [
      ['gateway, scoring', at('gateway', 'scoring')],
      ['Redis', `one server at ${percent(cores(peak, 'redis'))} of a core at the peak`],
      ['worker, Postgres', at('worker', 'postgres')],
      ['checks', `${bytes(checks * factBytes)} a month until [archived](operations.md#archive-old-checks)`],
      ['addresses', `${bytes(checks * subjectBytes * retentionMonths)} with 90 days of retention`],
      [
        'write-ahead log',
        `${bytes(average * stored.write_ahead_log)}/s on average, ${bytes(checks * stored.write_ahead_log)} a month`,
      ],
      [
        'indexes',
        `${bytes(checks * (stored.check_logs.indexes + stored.check_subjects.indexes))} for the running month; the one on \`email_hash\` is written at random`,
      ],
      [
        'daily reconciling',
        `${(hours('reconcile a day') * 60).toFixed(0)} minutes a day; ${hours('reconcile a month').toFixed(1)} hours for the whole month after it is closed`,
      ],
    ],
  );
}

function machinesFor(perSecond: number): string[] {
  const replicas = (name: string) => `${Math.max(2, Math.ceil(cores(perSecond, name) / CORE_SHARE))}`;
  const perDay = perSecond * DAY_SECONDS;
  const [least, most] = queuedBytes.map((each) => bytes(perSecond * HOUR_SECONDS * each));
  return [
    perSecond.toLocaleString('en'),
    replicas('gateway'),
    replicas('scoring'),
    replicas('worker'),
    redisFor(perSecond),
    `${Number(cores(perSecond, 'postgres').toPrecision(2))} cores, ${bytes(perDay * (factBytes + subjectBytes))} (${bytes(perDay * factBytes)} of it facts), ${bytes(perSecond * stored.write_ahead_log)}/s of WAL`,
    `${least} to ${most}`,
  ];
}

function redisFor(perSecond: number): string {
  const busy = cores(perSecond, 'redis');
  if (busy <= CORE_SHARE) return `one server, ${percent(busy)} of a core`;
  const masters = Math.max(3, Math.ceil(busy / CORE_SHARE));
  return `${masters} masters, \`REDIS_SHARDS=${2 * masters}\``;
}

function part(name: string, memory: string): string[] {
  const perCore = Number((1e6 / us(name)).toPrecision(2));
  return [name, `${us(name).toFixed(0)} us`, perCore.toLocaleString('en'), memory];
}

const megabytes = (name: string): string => `${(latest.residentMegabytes[name]?.now ?? 0).toFixed(0)} MB`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const tens = (value: number): string => (Math.round(value / 10) * 10).toLocaleString('en');

function bytes(count: number): string {
  const [unit, size] = count >= 1e12 ? ['TB', 1e12] : count >= 1e9 ? ['GB', 1e9] : ['MB', 1e6];
  return `${Number((count / size).toPrecision(2))} ${unit}`;
}
