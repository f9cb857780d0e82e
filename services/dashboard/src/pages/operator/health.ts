import type { OperatorSystem } from '../../api/operator.ts';
import { formatCount } from '../../ui/format/format.ts';

export interface HealthCheck {
  readonly name:
    | 'worker'
    | 'backlog'
    | 'oldest'
    | 'deadLetters'
    | 'changes'
    | 'scoring'
    | 'datasets'
    | 'reconciliation'
    | 'closing'
    | 'invoices';
  readonly state: 'good' | 'waiting' | 'bad';
  readonly value: string | number | null;
}

/** A worker reports every ten seconds. */
const WORKER_AGE_MAX = 60;
const WAITING_MAX = 10_000;
const OLDEST_MAX = 60;
const DATASET_DAYS_MAX = 7;
/** A page of statements takes a second. */
const CLOSING_AGE_MAX = 600;
/** A worker issues every hour. */
const UNISSUED_AGE_MAX = 2 * 3_600;
const RECONCILED_MAX = 2 * 86_400;
const DAY_MS = 86_400_000;

/** The state of the system against its thresholds: good, worth watching, or to be acted on. */
export function healthOf(system: OperatorSystem, now: number): HealthCheck[] {
  const { queue, projections_waiting: changes, datasets, reconciliations, closing, unissued } = system;
  const [newest] = reconciliations;
  const listed = datasets?.disposable_domains.version;
  const listAge = listed ? Math.floor((now - Date.parse(listed)) / DAY_MS) : null;
  const differences = reconciliations.reduce((sum, one) => sum + one.differences, 0);
  return [
    {
      name: 'worker',
      state: queue && queue.age_seconds <= WORKER_AGE_MAX ? 'good' : 'bad',
      value: queue?.age_seconds ?? null,
    },
    ...(queue
      ? ([
          { name: 'backlog', state: queue.waiting > WAITING_MAX ? 'bad' : 'good', value: queue.waiting },
          {
            name: 'oldest',
            state: (queue.oldest_seconds ?? 0) > OLDEST_MAX ? 'bad' : 'good',
            value: queue.oldest_seconds,
          },
          { name: 'deadLetters', state: queue.dead_letters > 0 ? 'bad' : 'good', value: queue.dead_letters },
        ] as const)
      : []),
    { name: 'changes', state: changes > 0 ? 'waiting' : 'good', value: changes },
    { name: 'scoring', state: datasets ? 'good' : 'bad', value: null },
    ...(listAge === null
      ? []
      : [
          {
            name: 'datasets',
            state: listAge > DATASET_DAYS_MAX ? 'waiting' : 'good',
            value: listAge,
          } as const,
        ]),
    {
      name: 'reconciliation',
      state: differences > 0 ? 'bad' : newest && newest.age_seconds <= RECONCILED_MAX ? 'good' : 'waiting',
      value: differences,
    },
    ...(closing && closing.done < closing.of
      ? [
          {
            name: 'closing',
            state: closing.age_seconds > CLOSING_AGE_MAX ? 'bad' : 'waiting',
            value: `${closing.month}: ${formatCount(closing.done)} of ${formatCount(closing.of)}`,
          } as const,
        ]
      : []),
    ...(unissued
      ? [
          {
            name: 'invoices',
            state:
              unissued.ready > 0 && unissued.age_seconds > UNISSUED_AGE_MAX
                ? 'bad'
                : unissued.ready + unissued.stopped > 0
                  ? 'waiting'
                  : 'good',
            value: `${formatCount(unissued.ready)} to issue, ${formatCount(unissued.stopped)} on hold`,
          } as const,
        ]
      : []),
  ];
}
