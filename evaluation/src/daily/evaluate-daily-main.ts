import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadDatasets } from '@verdict/datasets/load-datasets.js';
import { LISTS_DIR, SHIPPED_DIR } from '@verdict/datasets/shipped.js';
import { readSources } from '@verdict/datasets/sources/read-sources.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { OLD_AGGREGATE } from '../cuts.js';
import { readGenuine } from '../genuine-names.js';
import { readHandLists } from '../read-hand-lists.js';
import { readPackageJson } from '../read-package.js';
import { evaluateWindows } from './evaluate-windows.js';
import { findHistories } from './find-histories.js';
import { guardSource } from './guard-source.js';
import { halfYears } from './half-years.js';
import { readChanges } from './read-changes.js';
import { replayList } from './replay-list.js';

/** Lists whose additions are asked about: one kept by people, one made by a crawler. Their whole past says what is new. */
const TESTED = ['disposable-email-domains', 'fakefilter-daily'];
/** The crawler's history begins in 2023, and endings are made from 18 months of it. */
const FIRST = Date.UTC(2024, 6);

const { values } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== '--'),
  options: {
    histories: { type: 'string' },
    hours: { type: 'string', default: '24' },
    sources: { type: 'string' },
  },
});
if (values.histories === undefined)
  throw new Error('--histories DIR: clones of the repositories of the sources, as OWNER/NAME.git');

const { histories, missing } = findHistories(readSources(LISTS_DIR, values.sources), values.histories);
const absent = TESTED.filter((name) => missing.includes(name));
if (absent.length > 0) throw new Error(`no clone of the repository of ${absent.join(', ')}`);

const hand = readHandLists();
const lists = histories.map((history) => {
  const { source } = history;
  const changes = readChanges(history, TESTED.includes(source.name) ? undefined : FIRST);
  const until = changes.at(-1)?.at ?? 0;
  return { until, list: replayList(source, changes, guardSource(source, hand.relays)) };
});
const tested = lists.filter(({ list }) => TESTED.includes(list.source.name));
const windows = evaluateWindows(
  halfYears(FIRST, Math.min(...tested.map(({ until }) => until)) + 1),
  Number(values.hours),
  tested.map(({ list }) => list),
  {
    shipped: await loadDatasets(SHIPPED_DIR),
    hand,
    lists: lists.map(({ list }) => list),
    oldAggregate: new Set(readPackageJson<string[]>(OLD_AGGREGATE, 'index.json')),
  },
  Object.values(readGenuine()).flat(),
);
const result = {
  lists: lists.map(({ list, until }) => ({
    source: list.source.name,
    until: new Date(until).toISOString(),
    updates_refused_by_a_guard: list.refused(),
  })),
  without: missing,
  hours_between_updates: Number(values.hours),
  windows,
};

const text = `${JSON.stringify(result, null, 2)}\n`;
process.stdout.write(text);
writeFileSync(inRoot('evaluation/results/eval-daily.json'), text);
