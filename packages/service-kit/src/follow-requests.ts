import type { FastifyInstance } from 'fastify';
import type { Histogram, Registry } from 'prom-client';
import { noteUnanswered } from './unanswered.js';

const NAME = 'http_request_duration_seconds';
const BUCKETS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500];
const STATUS_MAX = 600;
const CLIENT_HUNG_UP = 499;
const SERIES = Symbol('series');

declare module 'fastify' {
  interface FastifyContextConfig {
    [SERIES]?: ReadonlyMap<string, Series>;
  }
}

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

/** Running requests, so that stopping can wait for them and nothing else. */
export interface InFlight {
  drained(): Promise<void>;
}

/**
 * Follows every request from its arrival to the end of its answer: the number running, and durations by route, method
 * and status, with 499 for clients that hung up. Call it before routes are added.
 */
export function followRequests(app: FastifyInstance, registry: Registry): InFlight {
  const all: Series[] = [];
  const series = (route: string, method: string): Series => {
    const made = { route, method, tallies: new Array<Tally | undefined>(STATUS_MAX).fill(undefined) };
    all.push(made);
    return made;
  };
  registry.registerMetric(requestHistogram(all));

  const nowhere = series('none', 'any');
  app.addHook('onRoute', (options) => {
    const methods = [options.method].flat();
    options.config ??= {};
    options.config[SERIES] = new Map(methods.map((method) => [method, series(options.url, method)]));
  });

  let open = 0;
  let waiting: (() => void)[] = [];
  function ended(): void {
    open--;
    if (open > 0 || waiting.length === 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  app.addHook('onRequest', (request, { raw }, done) => {
    open++;
    const beganAt = performance.now();
    const unanswered = noteUnanswered(request.raw.socket, raw);
    // 'close' and not onResponse, which never comes for a client that hung up, and whose own listeners cost as much again.
    raw.on('close', () => {
      unanswered.delete(raw);
      const status = raw.writableFinished ? raw.statusCode : CLIENT_HUNG_UP;
      const target = request.routeOptions.config?.[SERIES]?.get(request.method) ?? nowhere;
      observe(target, status, performance.now() - beganAt);
      ended();
    });
    done();
  });
  return {
    async drained() {
      if (open > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
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

/** A metric computed from the tallies at scrape time; a registry needs no more than this. */
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
