const HOT = ['gateway', 'scoring', 'redis'];

/**
 * Verdict against the durable floor, by the names of goals.json.
 * @param {{ many: object, one: object }} durable @param {{ people: object, attack: object, batch: object, one: object }} verdict
 */
export function ratiosOf(durable, { people, attack, batch, one }) {
  const floor = sum(durable.many.cpuMicros);
  return {
    hot: sum(people.cpuMicros, HOT) / floor,
    all: sum(people.cpuMicros) / floor,
    throughput: people.perSecond / durable.many.perSecond,
    p50_at_one: one.p50Ms / durable.one.p50Ms,
    p99: people.p99Ms / durable.many.p99Ms,
    attack_hot: sum(attack.cpuMicros, HOT) / floor,
    batch_hot: sum(batch.cpuMicros, HOT) / floor,
  };
}

/**
 * The price of counting repetitions. The bounds in goals.json are 8 us and 10 us of a machine whose floor is 63.
 * @param {{ many: object }} durable @param {{ people: object, attack: object }} verdict @param {{ people: object, attack: object }} without
 */
export function priceOfBursts(durable, verdict, without) {
  const floor = sum(durable.many.cpuMicros);
  const added = (kind, name) => (verdict[kind].cpuMicros[name] - without[kind].cpuMicros[name]) / floor;
  return {
    bursts_gateway: added('people', 'gateway'),
    bursts_redis: added('people', 'redis'),
    bursts_attack_gateway: added('attack', 'gateway'),
    bursts_attack_redis: added('attack', 'redis'),
  };
}

/** @param {Record<string, number>} values @param {readonly string[]} [names] */
export const sum = (values, names = Object.keys(values)) =>
  names.reduce((total, name) => total + values[name], 0);
