const HOT = ['gateway', 'scoring', 'redis'];
const GOALS = [
  ['CPU of gateway + scoring + Redis, 64 conn.', 'cpuHot', 'at most', 1.5],
  ['CPU with worker and Postgres, 64 conn.', 'cpuAll', 'at most', 2.0],
  ['requests/s at 64 conn.', 'throughput64', 'at least', 0.55],
  ['p50 at 1 conn.', 'p50At1', 'at most', 9],
  ['p99 at 64 conn.', 'p99At64', 'at most', 3],
];

/** Prints the tables and returns the ratios to the floor. */
export function printReport({ machine, rounds, seconds, table, slowDns, residentMegabytes }) {
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

  const ratios = Object.fromEntries(['naive', 'verdict'].map((variant) => [variant, ratiosOf(row, variant)]));
  console.log('\nratio to the floor                            naive  verdict  goal');
  for (const [label, key, direction, goal] of GOALS) {
    const met = direction === 'at most' ? ratios.verdict[key] <= goal : ratios.verdict[key] >= goal;
    console.log(
      `${label.padEnd(44)} ${ratios.naive[key].toFixed(2).padStart(6)} ${ratios.verdict[key].toFixed(2).padStart(8)}  ${direction} ${goal}${met ? '' : '  NOT MET'}`,
    );
  }
  const share = Math.max(...slowDns.rounds.map(({ slowShare }) => slowShare));
  console.log(
    `p99 beside never-seen domains (${(share * 100).toFixed(1)} % of traffic)  ${slowDns.p99Ratio.toFixed(2).padStart(12)}  at most 1.5${slowDns.p99Ratio <= 1.5 ? '' : '  NOT MET'}`,
  );
  console.log(
    `\npeak RSS MB: ${Object.entries(residentMegabytes)
      .map(([name, { peak }]) => `${name} ${peak.toFixed(0)}`)
      .join('  ')}`,
  );
  return { ...ratios, slowDnsP99: slowDns.p99Ratio };
}

function ratiosOf(row, variant) {
  const sum = (cpu, names) => names.reduce((total, name) => total + (cpu[name] ?? 0), 0);
  const floor64 = row('floor', 64);
  const own64 = row(variant, 64);
  return {
    cpuHot: sum(own64.cpuMicros, HOT) / floor64.cpuMicros.floor,
    cpuAll: sum(own64.cpuMicros, Object.keys(own64.cpuMicros)) / floor64.cpuMicros.floor,
    throughput64: own64.perSecond / floor64.perSecond,
    p50At1: row(variant, 1).p50Ms / row('floor', 1).p50Ms,
    p99At64: own64.p99Ms / floor64.p99Ms,
  };
}
