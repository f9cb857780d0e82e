import { eventually } from '@verdict/local-stack/eventually.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { type ReceivedSpan, startTraceReceiver } from './start-trace-receiver.js';

const CLIENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
/** Node then names every module that it loads. */
const NAME_LOADED_FILES = { NODE_DEBUG: 'esm' };
/** The chunk of the bundle that holds the SDK. */
const SDK = /start-tracing-[\w-]+\.js/;

/** A check's whole way, as `service name <- parent`. */
const WAY = [
  'verdict-gateway POST /api/v1/check/ <- client',
  'verdict-gateway admission <- POST /api/v1/check/',
  'verdict-gateway scoring <- POST /api/v1/check/',
  'verdict-gateway send check-logs <- POST /api/v1/check/',
  'verdict-scoring score <- scoring',
  'verdict-worker process check-logs <- send check-logs',
];
/** A caller whose last check was granted is not looked at first. */
const TRUSTED_WAY = WAY.filter((one) => !one.includes(' admission '));

function wayOf(spans: readonly ReceivedSpan[]): string[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  const parent = ({ parentSpanId }: ReceivedSpan) =>
    names.get(parentSpanId) ?? (parentSpanId === '' ? 'nobody' : 'client');
  return spans.map((span) => `${span.service} ${span.name} <- ${parent(span)}`).sort();
}

t.test(
  'with a collector named, every check is one trace through gateway, scoring, queue and worker',
  async (t) => {
    const receiver = await startTraceReceiver();
    t.teardown(() => receiver.stop());
    const stack = await startStack({
      env: {
        all: {
          OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
          OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
          OTEL_BSP_SCHEDULE_DELAY: 50,
        },
        gateway: NAME_LOADED_FILES,
      },
    });
    t.teardown(() => stack.stop());
    const check = (traceparent?: string) =>
      stack.api<{ id: string }>('check/', {
        json: { email: 'jane@gmail.com' },
        headers: traceparent === undefined ? {} : { traceparent },
      });
    const traceOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId);
    const wholeTrace = (traceId: string, way = TRUSTED_WAY) =>
      eventually(() => traceOf(traceId).length >= way.length && traceOf(traceId));

    await t.test('it goes on from the traceparent of the client', async (t) => {
      const { status, body } = await check(`00-${CLIENT.traceId}-${CLIENT.spanId}-01`);
      t.equal(status, 200);
      const spans = await wholeTrace(CLIENT.traceId, WAY);
      t.strictSame(wayOf(spans), WAY);
      const named = (name: string) => spans.find((span) => span.name === name);
      t.equal(named('POST /api/v1/check/')?.parentSpanId, CLIENT.spanId);
      t.equal(
        named('send check-logs')?.attributes['verdict.log_id'],
        body.id,
        'a check is found by its log id',
      );
      t.equal(named('POST /api/v1/check/')?.attributes['http.response.status_code'], '200');
      t.notOk(spans.some(({ failed }) => failed));
      t.notMatch(JSON.stringify(spans), 'jane', 'no address is in it');
    });

    await t.test('checks that share batches keep a whole trace each', async (t) => {
      const ids = Array.from({ length: 40 }, (_, i) => `${i + 1}`.padStart(32, 'a'));
      const answers = await Promise.all(ids.map((id) => check(`00-${id}-${CLIENT.spanId}-01`)));
      t.ok(answers.every(({ status }) => status === 200));
      for (const id of ids) t.strictSame(wayOf(await wholeTrace(id)), TRUSTED_WAY, id);
      const shared = receiver.spans.filter(
        ({ name, attributes }) => name === 'score' && Number(attributes['verdict.sampled_in_batch']) > 1,
      );
      t.ok(shared.length > 1, `${shared.length} of them shared a batch`);
    });

    await t.test(
      'without a traceparent one begins; what the client did not sample is not recorded',
      async (t) => {
        const unsampled = 'b'.repeat(32);
        const before = receiver.spans.length;
        t.equal((await check(`00-${unsampled}-${CLIENT.spanId}-00`)).status, 200);
        t.equal((await check()).status, 200);
        const begun = await eventually(() =>
          receiver.spans.slice(before).find((span) => span.parentSpanId === ''),
        );
        const way = wayOf(await wholeTrace(begun.traceId));
        t.strictSame(
          way,
          [
            'verdict-gateway POST /api/v1/check/ <- nobody',
            ...TRUSTED_WAY.filter((one) => !/client$/.test(one)),
          ].sort(),
        );
        t.strictSame(traceOf(unsampled), []);
      },
    );

    await t.test('a refusal is a trace too, and a nonsensical traceparent begins a new one', async (t) => {
      const before = receiver.spans.length;
      const answer = await stack.api('check/', {
        json: { email: 'no address' },
        headers: { traceparent: 'x' },
      });
      t.equal(answer.status, 400);
      const span = await eventually(() =>
        receiver.spans
          .slice(before)
          .find(({ attributes }) => attributes['http.response.status_code'] === '400'),
      );
      t.match(span, { parentSpanId: '', failed: false });
    });
    t.match(stack.gateways[0]?.output(), SDK, 'the SDK was loaded');

    await t.test('a collector that is away costs neither a check nor the stop', async (t) => {
      await receiver.stop();
      t.equal((await check()).status, 200);
      const services = [...stack.gateways, ...stack.scorings, ...stack.workers];
      // A service that does not come to its end in time says so with its exit code.
      const stopped = services.map(async (service) => ({ service, end: await service.stop() }));
      for (const { service, end } of await Promise.all(stopped))
        t.equal(end.code, 0, service.name, { lastLines: service.output().split('\n').slice(-12) });
    });
  },
);

t.test('without the variables, or with OTEL_SDK_DISABLED, the SDK is not even loaded', async (t) => {
  const stack = await startStack({
    env: {
      all: NAME_LOADED_FILES,
      worker: { OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' },
      scoring: { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
    },
  });
  t.teardown(() => stack.stop());
  const { status, body } = await stack.api<{ id: string }>('check/', { json: { email: 'jane@gmail.com' } });
  t.equal(status, 200);
  await eventually(
    async () => (await stack.sql('SELECT 1 FROM check_logs WHERE id = $1', [body.id])).length === 1,
  );
  for (const service of [...stack.gateways, ...stack.scorings, ...stack.workers]) {
    t.match(service.output(), /dist\/services\/[\w-]+\.js/, `${service.name} names what it loads`);
    t.notMatch(service.output(), SDK, `${service.name} did not load the SDK`);
  }
});
