import { cpuSeconds } from './process-usage.mjs';
import { runWrk } from './wrk.mjs';

/** One run of load with the CPU that each process spent on it, in microseconds per request. */
export async function measure({ pids, ...load }) {
  const before = cpuSeconds(pids);
  const outcome = await runWrk(load);
  const after = cpuSeconds(pids);
  // Errors are quick: a variant that gives some is not measured.
  if (outcome.failures > 0)
    throw new Error(`${outcome.failures} of ${outcome.requests} requests to ${load.url} failed`);
  const cpuMicros = Object.fromEntries(
    Object.keys(pids).map((name) => [
      name,
      ((after[name] - before[name]) * 1e6) / Math.max(1, outcome.requests),
    ]),
  );
  return { ...outcome, cpuMicros };
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
