const HOT = ['gateway', 'scoring', 'redis'];
/** Of Verdict, as ratios to a floor. */
const GOALS = [
  ['CPU of gateway + scoring + Redis, 64 conn.', 'cpuHot', 'durable', 'at most', 1.6],
  ['CPU with worker and Postgres, 64 conn.', 'cpuAll', 'persisting', 'at most', 2],
  ['p50 at 1 conn.', 'p50At1', 'durable', 'at most', 4.5],
  ['p99 at 64 conn.', 'p99At64', 'durable', 'at most', 3],
];
const SLOW_DNS_GOAL = 1.5;
/** Of a check in a batch: to the durable floor at 64 connections, and to a single check until it is in Postgres. */
const BATCH_GOALS = [
  ['CPU of gateway + scoring + Redis, to durable', 'cpuHot', 'at most', 0.6],
  ['checks/s persisted by all five', 'throughput', 'at least', 2.5],
];
const FLOORS = ['bare', 'durable', 'persisting'];

/** Prints the tables and returns the ratios of both builds to both floors, with the goals beside them. */
export function printReport({ machine, rounds, seconds, table, batches, slowDns, residentMegabytes }) {
  const row = (variant, connections) =>
    table.find((it) => it.variant === variant && it.connections === connections);
  console.log(`\n${machine}; median of ${rounds} rounds of ${seconds} s\n`);
  console.log('variant   conn    req/s   p50 ms   p90 ms   p99 ms  failures  CPU us per request');
  for (const it of table) {
    const cpu = Object.entries(it.cpuMicros)
      .map(([name, micros]) => `${name} ${micros.toFixed(0)}`)
      .join('  ');
    console.log(
      [
        it.variant.padEnd(8),
        String(it.connections).padStart(5),
        it.perSecond.toFixed(0).padStart(8),
        it.p50Ms.toFixed(2).padStart(8),
        it.p90Ms.toFixed(2).padStart(8),
        it.p99Ms.toFixed(2).padStart(8),
        String(it.failures).padStart(9),
        ` ${cpu}`,
      ].join(' '),
    );
  }

  const ratios = Object.fromEntries(
    FLOORS.map((floor) => [
      floor,
      Object.fromEntries(['naive', 'verdict'].map((variant) => [variant, ratiosOf(row, variant, floor)])),
    ]),
  );
  console.log('\nratio                                       floor         naive verdict  goal');
  const figure = (value) => value.toFixed(2).padStart(7);
  const judged = (reached, direction, goal) => {
    const met = direction === 'at most' ? reached <= goal : reached >= goal;
    return `${figure(reached)}  ${direction} ${goal}${met ? '' : '  NOT MET'}`;
  };
  for (const [label, key, floor, direction, goal] of GOALS) {
    const { naive, verdict } = ratios[floor];
    console.log(
      `${label.padEnd(44)}${floor.padEnd(11)}${figure(naive[key])} ${judged(verdict[key], direction, goal)}`,
    );
  }
  const share = Math.max(...slowDns.rounds.map(({ slowShare }) => slowShare));
  console.log(
    `p99 beside never-seen domains (${(share * 100).toFixed(1)} % of traffic), to without ${figure(slowDns.p99Ratio)}  at most ${SLOW_DNS_GOAL}${slowDns.p99Ratio <= SLOW_DNS_GOAL ? '' : '  NOT MET'}`,
  );
  const batched = batchRatios(batches.table, row('durable', 64));
  console.log(`\na check in a batch of ${batches.size}, to a single one, each until it is in Postgres`);
  for (const { variant, perSecond, cpuMicros } of batches.table) {
    const cpu = Object.entries(cpuMicros).map(([name, micros]) => `${name} ${micros.toFixed(1)}`);
    console.log(
      `${variant.padEnd(8)} ${perSecond.toFixed(0).padStart(8)} checks/s  CPU us per check ${cpu.join('  ')}`,
    );
  }
  for (const [label, key, direction, goal] of BATCH_GOALS)
    console.log(`${label.padEnd(42)}${judged(batched[key], direction, goal)}`);
  console.log(
    `\npeak RSS MB: ${Object.entries(residentMegabytes)
      .map(([name, { peak }]) => `${name} ${peak.toFixed(0)}`)
      .join('  ')}`,
  );
  const goals = Object.fromEntries(
    GOALS.map(([, key, floor, direction, goal]) => [key, `${direction} ${goal} of ${floor}`]),
  );
  return {
    ...ratios,
    batches: batched,
    slowDnsP99: slowDns.p99Ratio,
    goals: { ...goals, slowDnsP99: `at most ${SLOW_DNS_GOAL}` },
  };
}

const sum = (cpu, names) => names.reduce((total, name) => total + (cpu[name] ?? 0), 0);

function batchRatios(table, durable) {
  const of = (name) => table.find(({ variant }) => variant === name);
  const [single, batch] = [of('single'), of('batch')];
  return {
    cpuHot: sum(batch.cpuMicros, HOT) / sum(durable.cpuMicros, Object.keys(durable.cpuMicros)),
    throughput: batch.perSecond / single.perSecond,
  };
}

function ratiosOf(row, variant, floor) {
  const all = (cpu) => sum(cpu, Object.keys(cpu));
  const floor64 = row(floor, 64);
  const own64 = row(variant, 64);
  return {
    cpuHot: sum(own64.cpuMicros, HOT) / all(floor64.cpuMicros),
    cpuAll: all(own64.cpuMicros) / all(floor64.cpuMicros),
    throughput64: own64.perSecond / floor64.perSecond,
    p50At1: row(variant, 1).p50Ms / row(floor, 1).p50Ms,
    p99At64: own64.p99Ms / floor64.p99Ms,
  };
}
