import type { IncomingMessage } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { WebhookPolicy } from '@verdict/domain/webhook-address.js';
import { pinnedTo } from '@verdict/service-kit/outgoing/pinned-to.js';
import { type Lookup, resolveTarget, type Target } from '@verdict/service-kit/outgoing/resolve-target.js';
import type { CustomFetch, CustomFetchOptions } from 'openid-client';

/** The rules for addresses that customers name, which webhooks follow too. */
export interface Guard {
  readonly policy: WebhookPolicy;
  readonly lookup: Lookup;
}

/** The largest documents of providers have some ten KB. */
const BYTES_MAX = 256 * 1024;
/** A response with these has no body by definition. */
const EMPTY: readonly number[] = [204, 205, 304];

/** Asks identity providers at addresses that the guard allows, until the signal ends it. Redirects are not followed. */
export const createGuardedFetch =
  ({ policy, lookup }: Guard, signal: AbortSignal): CustomFetch =>
  async (url, options) => {
    const target = await resolveTarget(url, policy, lookup, signal);
    const response = await send(target, options, signal);
    const body = await readBody(response);
    const status = response.statusCode ?? 0;
    const headers = new Headers();
    const type = response.headers['content-type'];
    if (type !== undefined) headers.set('content-type', type);
    return new Response(EMPTY.includes(status) ? null : body, { status, headers });
  };

function send(
  { url, addresses }: Target,
  { method, headers, body }: CustomFetchOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const text = body instanceof URLSearchParams ? body.toString() : body;
  if (text !== undefined && text !== null && typeof text !== 'string')
    throw new TypeError('a body that is not text');
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      headers: { ...headers, ...(text && { 'content-length': Buffer.byteLength(text) }) },
      agent: false,
      lookup: pinnedTo(addresses),
      signal,
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.end(text ?? undefined);
  });
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) {
      response.destroy();
      throw new Error(`the answer is longer than ${BYTES_MAX} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
