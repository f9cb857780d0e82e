import type { FastifyInstance } from 'fastify';
import type { Histogram, Registry } from 'prom-client';

const NAME = 'http_request_duration_seconds';
const BUCKETS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500];
const STATUS_MAX = 600;

/** Answers of one route and status: how many fell into each bucket, and their sum. Plain numbers, added up in place. */
interface Tally {
  readonly buckets: Float64Array;
  count: number;
  sumMs: number;
}

interface Series {
  readonly route: string;
  readonly method: string;
  /** By status; filled as they occur. */
  readonly tallies: (Tally | undefined)[];
}

/**
 * Counts every answer by route, method and status. A route's hook is bound to its own numbers, so that an answer costs
 * a few additions and no look-up by labels; the labels are put on when somebody asks. Call it before routes are added.
 */
export function installRequestMetrics(app: FastifyInstance, registry: Registry): void {
  const all: Series[] = [];
  const series = (route: string, method: string): Series => {
    const made = { route, method, tallies: new Array<Tally | undefined>(STATUS_MAX).fill(undefined) };
    all.push(made);
    return made;
  };
  registry.registerMetric(requestHistogram(all));

  app.addHook('onRoute', (options) => {
    const methods = Array.isArray(options.method) ? options.method : [options.method];
    const byMethod = new Map(methods.map((method) => [method, series(options.url, method)]));
    const [only] = byMethod.values();
    const own = options.onResponse === undefined ? [] : [options.onResponse].flat();
    options.onResponse = [
      (request, reply, done) => {
        const target = byMethod.size === 1 ? only : byMethod.get(request.method);
        if (target) observe(target, reply.statusCode, reply.elapsedTime);
        done();
      },
      ...own,
    ];
  });
  const nowhere = series('none', 'any');
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) observe(nowhere, reply.statusCode, reply.elapsedTime);
    done();
  });
}

function observe({ tallies }: Series, status: number, ms: number): void {
  let tally = tallies[status];
  if (!tally) {
    tally = { buckets: new Float64Array(BUCKETS_MS.length), count: 0, sumMs: 0 };
    tallies[status] = tally;
  }
  tally.count++;
  tally.sumMs += ms;
  for (let i = 0; i < BUCKETS_MS.length; i++) {
    if (ms <= (BUCKETS_MS[i] as number)) {
      tally.buckets[i] = (tally.buckets[i] as number) + 1;
      return;
    }
  }
}

/** A metric whose values are made up from the tallies at the moment of a scrape; a registry asks for no more than this. */
const requestHistogram = (series: readonly Series[]) =>
  ({
    name: NAME,
    get: async () => ({
      name: NAME,
      help: 'Time to answer, by route, method and status',
      type: 'histogram',
      aggregator: 'sum',
      values: series.flatMap(valuesOf),
    }),
  }) as unknown as Histogram;

function valuesOf({ route, method, tallies }: Series) {
  return tallies.flatMap((tally, status) => {
    if (!tally) return [];
    const labels = { route, method, status };
    let below = 0;
    const buckets = BUCKETS_MS.map((ms, i) => {
      below += tally.buckets[i] as number;
      return { metricName: `${NAME}_bucket`, labels: { le: ms / 1000, ...labels }, value: below };
    });
    return [
      ...buckets,
      { metricName: `${NAME}_bucket`, labels: { le: '+Inf' as const, ...labels }, value: tally.count },
      { metricName: `${NAME}_sum`, labels, value: tally.sumMs / 1000 },
      { metricName: `${NAME}_count`, labels, value: tally.count },
    ];
  });
}
