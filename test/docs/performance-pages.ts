import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../architecture/source-files.js';
import { attackTable } from './attack-table.js';
import { benchGoals, benchResults, onNode24 } from './bench-results.js';
import { billionTable, capacityTables } from './capacity-tables.js';
import { fillPage } from './fill-page.js';
import { markdownTable } from './markdown-table.js';

const PROCESSES = ['gateway', 'scoring', 'redis', 'worker', 'postgres'];

/** The pages that repeat figures of benchmarks, with their text as it should be. */
export function performancePages(): Record<string, string> {
  const page = (name: string, parts: Record<string, string>) =>
    Object.entries(parts).reduce(
      (text, [mark, part]) => fillPage(text, `<!-- ${mark} -->`, `\n${part}\n`, `<!-- /${mark} -->`),
      readFileSync(join(ROOT, name), 'utf8'),
    );
  return {
    'docs/performance.md': page('docs/performance.md', { cost: costOfACheck(), others: otherFigures() }),
    'docs/scaling.md': page('docs/scaling.md', { capacity: capacityTables(), billion: billionTable() }),
    'SECURITY.md': page('SECURITY.md', { attacks: attackTable() }),
  };
}

const shown = (value: number | undefined, digits: number): string =>
  value === undefined ? 'not measured' : value.toFixed(digits);

interface Bound {
  readonly at_most?: number;
  readonly at_least?: number;
}

/** A figure that misses its bound is bold. */
function judged(value: number | undefined, { at_most = Infinity, at_least = -Infinity }: Bound): string {
  const text = shown(value, 2);
  return value === undefined || (value <= at_most && value >= at_least) ? text : `**${text}**`;
}

const wanted = ({ at_most, at_least }: Bound): string =>
  [at_least !== undefined && `at least ${at_least}`, at_most !== undefined && `at most ${at_most}`]
    .filter(Boolean)
    .join(', ');

function costOfACheck(): string {
  const { measuredOn, machine, accounts, floors, verdict, ratios } = benchResults('latest');
  const { people, attack, batch } = verdict;
  const all = (figures: Readonly<Record<string, number>> | undefined) =>
    figures && Object.values(figures).reduce((total, value) => total + value, 0);
  const row = (name: string, pick: typeof all) => [
    name,
    shown(pick(people.cpuMicros), 0),
    shown(pick(people.garbageKb), 1),
    shown(pick(attack?.cpuMicros), 0),
    shown(pick(batch?.cpuMicros), 0),
  ];
  const withoutHeap = (cells: string[]) => cells.map((cell, i) => (i === 2 ? '' : cell));
  const own = (name: string) => {
    const cells = row(name, (figures) => figures?.[name]);
    return people.garbageKb?.[name] === undefined ? withoutHeap(cells) : cells;
  };
  const goals = Object.entries(benchGoals()).map(([key, goal]) => [
    goal.of,
    goal.to === 'durable' ? '`durable`' : goal.to,
    wanted(goal),
    judged(ratios[key], goal),
    judged(onNode24()?.ratios[key], goal),
  ]);
  return [
    `Measured on ${measuredOn}: ${machine}; 64 connections, ${accounts} accounts.\n`,
    markdownTable(['ratio', 'to', 'wanted', 'measured', 'on Node 24'], goals),
    markdownTable(
      [
        'process',
        'CPU us a check',
        'KB of garbage a check',
        'CPU us under attack',
        'CPU us in a batch of 100',
      ],
      [
        ...PROCESSES.map(own),
        row('all', all),
        ['`bare`', shown(all(floors.bare.many.cpuMicros), 0), '', '', ''],
        ['`durable`', shown(all(floors.durable.many.cpuMicros), 0), '', '', ''],
      ],
    ),
  ].join('');
}

function otherFigures(): string {
  const [scale, bulk, worker] = [benchResults('scale'), benchResults('bulk'), benchResults('worker')];
  const [soak, backtest] = [benchResults('soak'), benchResults('backtest')];
  const [groups, look] = [benchResults('groups'), benchResults('second-look')];
  const atMost = (bound: number) => ({ at_most: bound });
  const ratio = (question: string, value: number | undefined, bound: Bound, measuredOn: string) => [
    question,
    wanted(bound),
    judged(value, bound),
    measuredOn,
  ];
  const millions = `${worker.worker_stored.stored / 1e6} million stored`;
  return markdownTable(
    ['question', 'wanted', 'measured', 'on'],
    [
      ratio(
        'CPU of a row of a million-row file, to 10,000 rows',
        bulk.ratios.cpuPerRow,
        atMost(1.1),
        bulk.measuredOn,
      ),
      [
        `rows/s from queue to Postgres, ${millions}`,
        'at least 15,000',
        Math.round(worker.worker_stored.rows_per_second).toLocaleString('en'),
        worker.measuredOn,
      ],
      ratio('CPU of a check with 10,000 list entries', scale.ratios.lists, atMost(1.1), scale.measuredOn),
      ratio('CPU of a check with 5 million stored', scale.ratios.logs, atMost(1.1), scale.measuredOn),
      ratio('CPU of a check with 10,000 accounts', scale.ratios.accounts, atMost(1.1), scale.measuredOn),
      ...Object.entries(soak.growth).map(([name, growth]) =>
        ratio(
          `memory of ${name} over ${soak.minutes} minutes at 70 % of the peak`,
          growth,
          { at_least: 0.95, at_most: 1.05 },
          soak.measuredOn,
        ),
      ),
      ratio(
        'p99 of checks during a backtest, to without',
        backtest.ratios.p99Beside,
        atMost(1.1),
        backtest.measuredOn,
      ),
      [
        `slowest grouping of a month of ${groups.checks / 1e6} million checks, ms`,
        'at most 1,000',
        Math.round(groups.slowestMs).toLocaleString('en'),
        groups.measuredOn,
      ],
      ratio('the same, to counting them by the index', groups.ratio, {}, groups.measuredOn),
      [
        `seconds until a release revised ${look.stored.toLocaleString('en')} stored checks`,
        'at most 60',
        look.seconds.toFixed(0),
        look.measuredOn,
      ],
      ratio(
        'mean time of checks meanwhile, to without',
        look.ratios.meanBeside,
        atMost(1.1),
        look.measuredOn,
      ),
    ],
  );
}
