import { Histogram, Registry } from 'prom-client';
import t from 'tap';
import { RouteDurations } from '../src/route-durations.js';

const OBSERVED: [route: string, method: string, status: number, seconds: number][] = [
  ['/check/', 'POST', 200, 0.0004],
  ['/check/', 'POST', 200, 0.001],
  ['/check/', 'POST', 200, 0.0011],
  ['/check/', 'POST', 429, 0.3],
  ['/check/', 'GET', 405, 2.5],
  ['none', 'any', 404, 7],
];

t.test('a scrape reads what prom-client would say of the same requests', async (t) => {
  const [ours, theirs] = [new Registry(), new Registry()];
  for (const registry of [ours, theirs]) registry.setDefaultLabels({ service: 'gateway' });
  const durations = new RouteDurations(ours);
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [theirs],
  });
  for (const [route, method, status, seconds] of OBSERVED) {
    durations.note(route, method, status, seconds);
    histogram.observe({ route, method, status }, seconds);
  }
  const samples = async (registry: Registry) =>
    (await registry.metrics())
      .split('\n')
      .map((line) => line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join()}}`));
  t.strictSame(await samples(ours), await samples(theirs));
});
