import { readFileSync } from 'node:fs';
import { inRoot } from '../../scripts/lib/paths.mjs';
import { sum } from './ratios.mjs';

const goals = JSON.parse(readFileSync(inRoot('bench/goals.json'), 'utf8'));
/** Less than this is the scatter of two runs. */
const GREW = 1.05;
const PROCESSES = ['gateway', 'scoring', 'redis', 'worker', 'postgres'];

const figure = (value, digits = 2, width = 9) =>
  (value === undefined ? '-' : value.toFixed(digits)).padStart(width);

/** Prints the goals, and the budget of a check by process beside the published one. */
export function printReport({ machine, rounds, seconds, floors, checkouts }, published) {
  console.log(`\n${machine}; median of ${rounds} rounds of ${seconds} s`);
  for (const [name, { many, one }] of Object.entries(floors)) {
    console.log(
      `${name.padEnd(12)} ${many.perSecond.toFixed(0).padStart(7)}/s  ${sum(many.cpuMicros).toFixed(0)} us  ` +
        `p50 ${many.p50Ms.toFixed(2)} ms, p99 ${many.p99Ms.toFixed(2)} ms${one ? `, p50 at one connection ${one.p50Ms.toFixed(2)} ms` : ''}`,
    );
  }
  for (const [name, { verdict, ratios }] of Object.entries(checkouts)) {
    console.log(`\n${name}`);
    for (const [key, { of, to, at_most, at_least }] of Object.entries(goals)) {
      const ratio = ratios[key];
      if (ratio === undefined) continue;
      const met = at_most === undefined ? ratio >= at_least : ratio <= at_most;
      const goal = at_most === undefined ? `at least ${at_least}` : `at most ${at_most}`;
      console.log(
        `  ${of.padEnd(52)} to ${to.padEnd(12)}${figure(ratio, 2, 6)}  ${goal}${met ? '' : '  NOT MET'}`,
      );
    }
    for (const traffic of ['people', 'attack', 'batch'])
      printBudget(traffic, verdict[traffic], sum(floors.durable.many.cpuMicros), published);
  }
}

/** CPU grows when its multiple of the floor does: microseconds of two machines say nothing about each other. */
function printBudget(traffic, { perSecond, cpuMicros, garbageKb }, floor, published) {
  const before = published.verdict[traffic];
  const floorBefore = sum(published.floors.durable.many.cpuMicros);
  console.log(
    `\n  ${traffic.padEnd(10)} us a check  x durable  published    KB a check  published   ${perSecond.toFixed(0)} checks/s`,
  );
  const line = (name, us, kb, usBefore, kbBefore) => {
    const [times, timesBefore] = [us / floor, usBefore === undefined ? undefined : usBefore / floorBefore];
    const grew = [
      timesBefore !== undefined && times > timesBefore * GREW && 'CPU GREW',
      kb !== undefined && kbBefore !== undefined && kb > kbBefore * GREW && 'GARBAGE GREW',
    ].filter(Boolean);
    console.log(
      `  ${name.padEnd(10)} ${figure(us, 1, 10)} ${figure(times, 2, 10)} ${figure(timesBefore, 2, 10)}    ` +
        `${figure(kb, 1, 10)} ${figure(kbBefore, 1, 10)}   ${grew.join(', ')}`,
    );
  };
  for (const name of PROCESSES)
    line(name, cpuMicros[name], garbageKb[name], before?.cpuMicros[name], before?.garbageKb[name]);
  line(
    'all',
    sum(cpuMicros),
    sum(garbageKb),
    before && sum(before.cpuMicros),
    before && sum(before.garbageKb),
  );
}

/** This checkout to the other one, process by process: the median of the ratios within each round. */
export function printComparison(perRound) {
  const ratio = (kind, what, name) =>
    medianOf(
      perRound.map(({ verdict, against }) => {
        const [own, other] = [verdict, against].map((checkout) => checkout[kind][what]);
        return name === 'all' ? sum(own) / sum(other) : own[name] / other[name];
      }),
    );
  console.log('\nthis checkout to the other, median of the ratios of each round');
  for (const kind of ['people', 'attack', 'batch', 'one']) {
    const cpu = [...PROCESSES, 'all'].map((name) => `${name} ${ratio(kind, 'cpuMicros', name).toFixed(2)}`);
    console.log(
      `  ${kind.padEnd(8)} CPU ${cpu.join('  ')}; garbage ${ratio(kind, 'garbageKb', 'all').toFixed(2)}`,
    );
  }
}

const medianOf = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
