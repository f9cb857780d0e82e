import { type Static, Type } from 'typebox';

/**
 * The standard variables that decide whether traces are on and where they go. The SDK reads the other OpenTelemetry
 * variables (OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER, OTEL_BSP_*, ...) itself.
 */
export const TRACING_SETTINGS = {
  OTEL_SDK_DISABLED: Type.String({ default: 'false', description: 'true: no traces, whatever else is set' }),
  OTEL_TRACES_EXPORTER: Type.String({
    default: '',
    pattern: '^(otlp|console|none)?$',
    description: 'otlp, console or none; empty: otlp when an endpoint is set, else none',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.String({
    default: '',
    description: 'Collector for traces, such as http://collector:4318; see docs/monitoring.md',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Type.String({
    default: '',
    description: 'The same as a full address with path',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: Type.String({
    default: 'http/protobuf',
    pattern: '^http/(protobuf|json)$',
    description: 'http/protobuf or http/json; gRPC is not built in',
  }),
};

export type TracingSettings = Readonly<Static<ReturnType<typeof Type.Object<typeof TRACING_SETTINGS>>>>;

export function wantsTraces(settings: TracingSettings): boolean {
  if (settings.OTEL_SDK_DISABLED.toLowerCase() === 'true') return false;
  if (settings.OTEL_TRACES_EXPORTER !== '') return settings.OTEL_TRACES_EXPORTER !== 'none';
  return settings.OTEL_EXPORTER_OTLP_ENDPOINT !== '' || settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== '';
}
