import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AttemptMade } from '@verdict/db/webhooks/settle-delivery.js';
import type { WebhookPolicy } from '@verdict/domain/webhook-address.js';
import { NameUnanswered } from '@verdict/service-kit/outgoing/look-up-host.js';
import { pinnedTo } from '@verdict/service-kit/outgoing/pinned-to.js';
import {
  type Lookup,
  resolveTarget,
  type Target,
  TargetRefused,
} from '@verdict/service-kit/outgoing/resolve-target.js';

export interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answered extends AttemptMade {
  readonly retryAfterSeconds: number | null;
  /** DNS did not answer for the name, so the endpoint was never asked. */
  readonly isUnresolved: boolean;
}

export interface SendOptions {
  readonly policy: WebhookPolicy;
  readonly lookup: Lookup;
  readonly timeoutMs: number;
  /** Aborts the running attempt, which then does not count, and this throws. */
  readonly signal: AbortSignal;
}

/** As much of an answer as helps to find a fault. */
const HEAD_BYTES = 1_024;

/** One attempt: from the look-up to the first bytes of the answer, within the time limit. Redirects are not followed. */
export async function sendWebhook(posted: Posted, options: SendOptions): Promise<Answered> {
  const { policy, lookup, timeoutMs, signal } = options;
  const beganAt = performance.now();
  const tired = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([tired, signal]);
  try {
    const target = await resolveTarget(posted.url, policy, lookup, ended);
    const response = await post(target, posted, ended);
    const head = await readHead(response);
    const status = response.statusCode ?? 0;
    return {
      durationMs: since(beganAt),
      responseStatus: status,
      error: status >= 200 && status < 300 ? null : faultOf(status),
      responseHead: head === '' ? null : head,
      retryAfterSeconds: retryAfterOf(response),
      isUnresolved: false,
    };
  } catch (error) {
    signal.throwIfAborted();
    const reason = tired.aborted ? `no answer within ${timeoutMs / 1000} seconds` : reasonOf(error);
    return {
      durationMs: since(beganAt),
      responseStatus: null,
      error: reason,
      responseHead: null,
      retryAfterSeconds: null,
      isUnresolved: error instanceof NameUnanswered,
    };
  }
}

function post(
  { url, addresses }: Target,
  { headers, body }: Posted,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // A new connection each time: a kept one could lead to an address that is no longer allowed.
      agent: false,
      lookup: pinnedTo(addresses),
      signal,
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });
}

/** The status decides; a body that breaks off, never ends or is not text changes nothing. */
async function readHead(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= HEAD_BYTES) break;
    }
  } catch {
    // The beginning is enough.
  }
  response.destroy();
  // Postgres stores no zero bytes.
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}

function retryAfterOf({ headers }: IncomingMessage): number | null {
  const seconds = Number(headers['retry-after']);
  return Number.isInteger(seconds) && seconds > 0 ? seconds : null;
}

const faultOf = (status: number): string =>
  status >= 300 && status < 400 ? 'it redirects, and redirects are not followed' : `it answered ${status}`;

function reasonOf(error: unknown): string {
  if (error instanceof TargetRefused || error instanceof NameUnanswered) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : `${CODES[code] ?? 'the connection failed'} (${code})`;
}

const UNKNOWN_AUTHORITY = 'its certificate has an unknown issuer';

const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  CERT_HAS_EXPIRED: 'its certificate has expired or is not yet valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

const since = (beganAt: number): number => Math.round(performance.now() - beganAt);
