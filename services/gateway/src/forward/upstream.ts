import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';

export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
  /** Complete, but for a file that is passed on as it arrives. */
  readonly body: Buffer | Readable | null;
  readonly answerMs?: number | undefined;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** A Postgres statement ends after 30 seconds, so waiting longer is pointless. */
const ANSWER_MS = 35_000;
/** Long enough that a gateway which stood still for a moment does not take its own pause for a silent host. */
const CONNECT_MS = 5_000;

/** Connections to the control plane. A request takes one only when it has been read completely, unless it is a file. */
export function createUpstream(url: string, connections: number) {
  const pool = new Pool(url, {
    connections,
    connect: { timeout: CONNECT_MS },
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
  });

  async function attempt(request: UpstreamRequest): Promise<UpstreamAnswer> {
    const { path, headers, body, answerMs = ANSWER_MS } = request;
    const method = request.method as Dispatcher.HttpMethod;
    const answer = await pool.request({ method, path, headers, body, headersTimeout: answerMs });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  }

  return {
    /** Repeats safe requests whose connection was closed under them, as a restart does. */
    async request(request: UpstreamRequest): Promise<UpstreamAnswer> {
      try {
        return await attempt(request);
      } catch (error) {
        if (request.method !== 'GET' && request.method !== 'HEAD') throw error;
        return attempt(request);
      }
    },
    close: () => pool.close(),
  };
}
