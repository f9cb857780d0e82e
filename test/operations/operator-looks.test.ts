import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { metricNames } from './metric-names.js';
import { metrics } from './metrics.js';
import { OPERATOR_TOKEN, queuePage } from './queue-page.js';

t.test('names are found in PromQL', async (t) => {
  t.strictSame(
    metricNames('sum by (le) (rate(a_bucket{service="x",status=~"5.."}[5m])) / sum(b) > 45 * 86400'),
    ['a_bucket', 'b'],
  );
  t.strictSame(metricNames('absent(c) and max(d) == 0'), ['c', 'd']);
});

t.test('what a running stack shows to its operator', async (t) => {
  const stack = await startStack({ env: { worker: { OPERATOR_TOKEN } } });
  t.teardown(() => stack.stop());
  await t.test('every figure that the dashboard and the alerts ask for', (t) => metrics(t, stack));
  await t.test('the queue page shows counts, changes nothing and names nobody', (t) => queuePage(t, stack));
});
