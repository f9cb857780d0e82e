import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { topAccounts } from '@verdict/redis-store/account-load.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import t from 'tap';
import { startTraceReceiver } from './start-trace-receiver.js';

const receiver = await startTraceReceiver();
const stack = await startStack({
  env: {
    gateway: {
      SLOW_ANSWER_MS: 0,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'always_off',
      OTEL_BSP_SCHEDULE_DELAY: 50,
    },
  },
});
t.teardown(async () => {
  await stack.stop();
  await receiver.stop();
});

t.test('why was this slow: line, kept trace and exemplar of one answer name the same trace', async (t) => {
  const { status } = await stack.api('check/', { json: { email: 'jane@gmail.com' } });
  t.equal(status, 200);
  const [gateway] = stack.gateways;
  const line = await eventually(() => {
    const found = (gateway?.output() ?? '').split('\n').find((text) => text.includes('answer was slow'));
    return found && JSON.parse(found);
  });
  t.match(line, {
    requestId: /^req_/,
    route: '/api/v1/check/',
    status: 200,
    accountId: stack.accountId,
    checks: 1,
    traceId: /^[0-9a-f]{32}$/,
  });
  const times = [line.parseMs, line.lookMs, line.scoringMs, line.stepMs, line.sendMs];
  t.ok(times.every((ms) => ms >= 0));
  const sum = times.reduce((all, ms) => all + ms, 0);
  t.ok(Math.abs(sum - line.tookMs) < 1, `${sum} of ${line.tookMs} ms have a stage`);
  t.notMatch(JSON.stringify(line), 'jane');

  const spans = await eventually(() => {
    const found = receiver.spans.filter(({ traceId }) => traceId === line.traceId);
    return found.length === 6 && found;
  });
  t.strictSame(spans.map(({ name }) => name).sort(), [
    'POST /api/v1/check/',
    'look',
    'parse',
    'scoring',
    'send',
    'step',
  ]);

  const { text } = await http(`${gateway?.internalUrl}/metrics`);
  const exemplar = new RegExp(
    `^http_request_duration_seconds_bucket\\{.*route="/api/v1/check/".*\\} 1 # \\{trace_id="${line.traceId}"\\} [\\d.]+ [\\d.]+$`,
    'm',
  );
  t.match(text, exemplar);
  t.match(text, /^# EOF\n$/m);
});

t.test('which account causes the load: gateways report checks and refusals every second', async (t) => {
  const items = Array.from({ length: 7 }, (_, i) => ({ email: `a${i}@gmail.com` }));
  t.equal((await stack.api('check/batch/', { json: { items } })).status, 200);
  for (let i = 0; i < 3; i++)
    t.equal((await stack.api('check/', { json: { email: 'nonsense' } })).status, 400);
  const redis = connectForRequests({ url: stack.redis.url, timeoutMs: 20_000 }, 'test');
  t.teardown(() => redis.disconnect());
  const top = await eventually(async () => {
    const [first] = await topAccounts(redis, 10);
    return first?.refused === 3 && first;
  });
  t.strictSame(top, { accountId: stack.accountId, answered: 8, refused: 3 });
});
