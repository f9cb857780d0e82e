import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import t from 'tap';
import { createTracing } from '../src/create-tracing.js';
import { GivenIds } from '../src/given-ids.js';

t.test(
  'a step that no sampler chose is recorded under its own ids, with its parts and its times',
  async (t) => {
    const exporter = new InMemorySpanExporter();
    const spanProcessors = [new SimpleSpanProcessor(exporter)];
    const ids = new GivenIds();
    const tracing = createTracing(
      new BasicTracerProvider({ spanProcessors, sampler: new AlwaysOffSampler() }),
      {
        provider: new BasicTracerProvider({
          spanProcessors,
          sampler: new AlwaysOnSampler(),
          idGenerator: ids,
        }),
        ids,
      },
    );
    const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;
    for (const from of [undefined, parent]) {
      exporter.reset();
      const step = tracing.start('server', 'POST /', from);
      step.end();
      t.equal(step.traceparent, null);
      t.strictSame(exporter.getFinishedSpans(), []);
      const now = performance.now();
      tracing.keep(step, {
        kind: 'server',
        name: 'POST /',
        parent: from,
        beganAtMs: now - 40,
        endedAtMs: now,
        attributes: {},
        failure: 'answered 503',
        parts: [{ name: 'scoring', beganAtMs: now - 30, endedAtMs: now - 10 }],
      });
      const [part, whole] = exporter.getFinishedSpans();
      t.equal(whole?.spanContext().traceId, step.traceId);
      t.equal(part?.spanContext().traceId, step.traceId);
      t.equal(part?.parentSpanContext?.spanId, whole?.spanContext().spanId);
      t.equal(whole?.parentSpanContext?.spanId, from && 'b'.repeat(16));
      t.match(whole?.status, { message: 'answered 503' });
      const tookMs = ([seconds = 0, nanos = 0]: readonly number[]) => Math.round(seconds * 1e3 + nanos / 1e6);
      t.equal(tookMs(whole?.duration ?? []), 40);
      t.equal(tookMs(part?.duration ?? []), 20);
    }
    t.not(ids.generateTraceId(), ids.generateTraceId());
  },
);
