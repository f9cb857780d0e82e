import { json } from 'node:stream/consumers';
import { startHttpServer } from '../harness/start-http-server.js';

export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty at the root of a trace. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly failed: boolean;
}

type Attributes = readonly { readonly key: string; readonly value: object }[];

/** OTLP's JSON, as far as tests read it. */
interface Span extends Pick<ReceivedSpan, 'name' | 'traceId' | 'spanId'> {
  readonly parentSpanId?: string;
  readonly attributes: Attributes;
  readonly status?: { readonly code?: number };
}
interface ResourceSpans {
  readonly resource: { readonly attributes: Attributes };
  readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
}

const ERROR = 2;

/** Starts a collector that speaks OTLP over HTTP with JSON and keeps every span. */
export async function startTraceReceiver() {
  const received: ReceivedSpan[] = [];
  const server = await startHttpServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') return void response.writeHead(404).end();
    const { resourceSpans } = (await json(request)) as { resourceSpans: readonly ResourceSpans[] };
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap(({ spans }) => spans))
        received.push({
          ...span,
          service: plain(resource.attributes)['service.name'] ?? '',
          parentSpanId: span.parentSpanId ?? '',
          attributes: plain(span.attributes),
          failed: span.status?.code === ERROR,
        });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return { ...server, spans: received };
}

const plain = (attributes: Attributes): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
