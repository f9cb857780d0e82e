import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import type { GivenIds } from './given-ids.js';
import type { Attributes, Step, StepKind, Tracing } from './tracing.js';

const KINDS: Record<StepKind, SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};
/** A stop must not hang on a collector. */
const CLOSE_WITHIN_MS = 3_000;

/** A provider that samples everything, for what is recorded after its end. */
export interface Keeper {
  readonly provider: BasicTracerProvider;
  readonly ids: GivenIds;
}

/** Our few verbs over a provider of spans. */
export function createTracing(provider: BasicTracerProvider, { provider: keeping, ids }: Keeper): Tracing {
  const tracer = provider.getTracer('verdict');
  const keeper = keeping.getTracer('verdict');
  const steps = new AsyncLocalStorage<Step>();
  return {
    start: (kind, name, parent, attributes = {}) =>
      new SpanStep(tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent))),
    within: (step, work) => (step ? steps.run(step, work) : work()),
    current: () => steps.getStore(),
    keep(step, { kind, name, parent, beganAtMs, endedAtMs, attributes, failure, parts }) {
      if (!(step instanceof SpanStep) || step.traceparent !== null) return;
      const options = { kind: KINDS[kind], attributes, startTime: beganAtMs };
      const span = ids.using(step.span.spanContext(), () =>
        keeper.startSpan(name, options, contextOf(parent)),
      );
      const within = trace.setSpan(ROOT_CONTEXT, span);
      for (const part of parts)
        keeper.startSpan(part.name, { startTime: part.beganAtMs }, within).end(part.endedAtMs);
      if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
      span.end(endedAtMs);
    },
    async close() {
      await Promise.race([provider.shutdown(), delay(CLOSE_WITHIN_MS, undefined, { ref: false })]).catch(
        // Failed exports were reported when they happened, so nothing is left to do.
        () => undefined,
      );
    },
  };
}

class SpanStep implements Step {
  readonly span: Span;
  readonly traceId: string;
  readonly traceparent: string | null;

  constructor(span: Span) {
    this.span = span;
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceId = traceId;
    this.traceparent = traceFlags & TraceFlags.SAMPLED ? `00-${traceId}-${spanId}-01` : null;
  }

  end(attributes: Attributes = {}): void {
    this.span.setAttributes(attributes);
    this.span.end();
  }

  fail(reason: unknown, attributes: Attributes = {}): void {
    const message = reason instanceof Error ? reason.message : String(reason);
    this.span.setStatus({ code: SpanStatusCode.ERROR, message });
    this.end(attributes);
  }
}

function contextOf(parent: Step | string | undefined): Context {
  if (parent instanceof SpanStep) return trace.setSpan(ROOT_CONTEXT, parent.span);
  const remote = typeof parent === 'string' ? parseTraceParent(parent) : null;
  return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT;
}
