import { Histogram } from 'prom-client';
import type { MetricsRegistry } from './registry.js';

type Label = 'route' | 'method' | 'status';
type Durations = Awaited<ReturnType<Histogram<Label>['get']>>;

interface Series {
  readonly labels: Readonly<Record<Label, string | number>>;
  /** How many took no longer than each bound, and longer than the bound before. */
  readonly counts: number[];
  sumSeconds: number;
  /** The last recorded trace of each bucket; undefined until there is one. */
  exemplars: (Exemplar | undefined)[] | undefined;
}

interface Exemplar {
  readonly labelSet: { readonly trace_id: string };
  readonly value: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const NAME = 'http_request_duration_seconds';
const DESCRIPTION = {
  name: NAME,
  help: 'Time to answer, by route, method and status',
  labelNames: ['route', 'method', 'status'] as Label[],
};

/**
 * Durations by route, method and status in plain buckets, which become samples when a scrape asks. prom-client hashes the
 * labels of every observation, and every request is one.
 */
export class RouteDurations extends Histogram<Label> {
  /** Never observes anything; it says what a scrape says about a histogram. */
  readonly #empty = new Histogram<Label>({ ...DESCRIPTION, registers: [] });
  readonly #series = new Map<string, Map<string, Map<number, Series>>>();

  constructor(registry: MetricsRegistry) {
    super({ ...DESCRIPTION, registers: [registry] });
  }

  note(route: string, method: string, status: number, seconds: number, traceId?: string): void {
    const series = this.#series.get(route)?.get(method)?.get(status) ?? this.#add(route, method, status);
    series.sumSeconds += seconds;
    let at = 0;
    while (at < BOUNDS.length && seconds > (BOUNDS[at] as number)) at++;
    series.counts[at] = (series.counts[at] as number) + 1;
    if (traceId === undefined) return;
    series.exemplars ??= [];
    series.exemplars[at] = { labelSet: { trace_id: traceId }, value: seconds, timestamp: Date.now() / 1000 };
  }

  override async get(): Promise<Durations> {
    return this.getForPromString();
  }

  /** The registry prefers it to `get`. */
  async getForPromString(): Promise<Durations> {
    return { ...(await this.#empty.get()), values: this.#all().flatMap(toSamples) };
  }

  #add(route: string, method: string, status: number): Series {
    const methods = this.#series.get(route) ?? new Map<string, Map<number, Series>>();
    this.#series.set(route, methods);
    const statuses = methods.get(method) ?? new Map<number, Series>();
    methods.set(method, statuses);
    const series = {
      labels: { route, method, status },
      counts: new Array<number>(BOUNDS.length + 1).fill(0),
      sumSeconds: 0,
      exemplars: undefined,
    };
    statuses.set(status, series);
    return series;
  }

  #all(): Series[] {
    return [...this.#series.values()].flatMap((methods) =>
      [...methods.values()].flatMap((statuses) => [...statuses.values()]),
    );
  }
}

function toSamples({ labels, counts, sumSeconds, exemplars }: Series): Durations['values'] {
  let total = 0;
  const buckets = counts.map((count, at) => {
    total += count;
    return {
      metricName: `${NAME}_bucket`,
      labels: { le: BOUNDS[at] ?? '+Inf', ...labels },
      value: total,
      exemplar: exemplars?.[at],
    };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sumSeconds },
    { metricName: `${NAME}_count`, labels, value: total },
  ];
}
