import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { createTracing } from './create-tracing.js';
import { GivenIds } from './given-ids.js';
import type { Tracing } from './tracing.js';
import type { TracingSettings } from './tracing-settings.js';

/** The SDK, as the standard variables describe it: spans leave in batches, in the background, and are dropped when they pile up. */
export async function startTracing(
  service: string,
  settings: TracingSettings,
  onTrouble: (message: string) => void,
): Promise<Tracing> {
  diag.setLogger(troubleLogger(onTrouble), DiagLogLevel.WARN);
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': `verdict-${service}` }))
    // Last: what OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say wins.
    .merge(detectResources({ detectors: [envDetector] }));
  const spanProcessors = [new BatchSpanProcessor(await createExporter(settings))];
  const ids = new GivenIds();
  return createTracing(new BasicTracerProvider({ resource, spanProcessors }), {
    provider: new BasicTracerProvider({
      resource,
      spanProcessors,
      sampler: new AlwaysOnSampler(),
      idGenerator: ids,
    }),
    ids,
  });
}

async function createExporter(settings: TracingSettings): Promise<SpanExporter> {
  if (settings.OTEL_TRACES_EXPORTER === 'console') return new ConsoleSpanExporter();
  const { OTLPTraceExporter } =
    settings.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

function troubleLogger(onTrouble: (message: string) => void): DiagLogger {
  const ignore = () => {};
  return { error: onTrouble, warn: onTrouble, info: ignore, debug: ignore, verbose: ignore };
}
