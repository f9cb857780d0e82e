import { allocatedKilobytes } from './count-garbage.mjs';
import { cpuSeconds } from './process-usage.mjs';
import { runWrk } from './wrk.mjs';

/**
 * One run of load with what each process spent on a check until the last one is in Postgres: a queued check has not been
 * paid for, and the next run must not pay for it.
 * @param {{ pids: Record<string, number>, drained?: () => Promise<void>, checks?: number, url: string, keys: string,
 *   traffic?: 'people' | 'attack' | 'batch', connections: number, seconds: number }} options
 */
export async function measure({ pids, drained = async () => {}, checks = 1, ...load }) {
  await drained();
  const [cpuBefore, garbageBefore] = [cpuSeconds(pids), await allocatedKilobytes(pids)];
  const { requests, failures, ...times } = await runWrk(load);
  await drained();
  const [cpuAfter, garbageAfter] = [cpuSeconds(pids), await allocatedKilobytes(pids)];
  // Errors are quick: a variant that gives some is not measured.
  if (failures > 0) throw new Error(`${failures} of ${requests} requests to ${load.url} failed`);
  const each = (before, after, unit) =>
    Object.fromEntries(
      Object.keys(after).map((name) => [name, ((after[name] - before[name]) * unit) / (requests * checks)]),
    );
  return {
    ...times,
    perSecond: times.perSecond * checks,
    cpuMicros: each(cpuBefore, cpuAfter, 1e6),
    garbageKb: each(garbageBefore, garbageAfter, 1),
  };
}

/** The median of every figure over the rounds, one row per combination of the keys. */
export function medianOf(samples, keys) {
  const groups = groupBy(samples, keys);
  return [...groups.values()].map((group) => ({
    ...Object.fromEntries(keys.map((key) => [key, group[0][key]])),
    ...medians(group.map(({ round, ...sample }) => without(sample, keys))),
  }));
}

const keyOf = (sample, keys) => keys.map((key) => sample[key]).join(' ');

function groupBy(samples, keys) {
  const groups = new Map();
  for (const sample of samples)
    groups.set(keyOf(sample, keys), [...(groups.get(keyOf(sample, keys)) ?? []), sample]);
  return groups;
}

const without = (sample, keys) =>
  Object.fromEntries(Object.entries(sample).filter(([key]) => !keys.includes(key)));

function medians(records) {
  return Object.fromEntries(
    Object.keys(records[0]).map((key) => {
      const values = records.map((record) => record[key]);
      if (typeof values[0] === 'object') return [key, medians(values)];
      return [key, values.sort((a, b) => a - b)[Math.floor(values.length / 2)]];
    }),
  );
}
