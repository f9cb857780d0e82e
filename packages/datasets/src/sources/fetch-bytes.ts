import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, type Dispatcher, request } from 'undici';

export interface FetchLimits {
  /** For everything: a server that drips bytes is cut off too. */
  readonly deadlineMs: number;
  readonly bytesMax: number;
}

/** Validators of an earlier answer, sent to the server again. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export type Fetched =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'fetched'; readonly bytes: Buffer; readonly validators: Validators };

const REDIRECTS_MAX = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Downloads with a limit on time and size. The operator's address may be internal, but a redirect must lead to a
 * public address and keep encryption.
 */
export async function fetchBytes(
  address: string,
  limits: FetchLimits,
  validators: Validators = {},
  accept = '*/*',
): Promise<Fetched> {
  const signal = AbortSignal.timeout(limits.deadlineMs);
  const agent = new Agent({ connect: { timeout: limits.deadlineMs } });
  const publicAgent = new Agent({ connect: { timeout: limits.deadlineMs, lookup: lookUpPublic } });
  const headers: Record<string, string> = { accept, 'user-agent': 'verdict-datasets' };
  if (validators.etag !== undefined) headers['if-none-match'] = validators.etag;
  if (validators.lastModified !== undefined) headers['if-modified-since'] = validators.lastModified;
  try {
    const first = new URL(address);
    let url = first;
    for (let redirects = 0; ; redirects++) {
      const dispatcher = url.origin === first.origin ? agent : publicAgent;
      const answer = await request(url, { dispatcher, signal, headers });
      if (!REDIRECTS.has(answer.statusCode)) return await readAnswer(answer, limits);
      await answer.body.dump();
      if (redirects === REDIRECTS_MAX) throw new Error('it redirects too often');
      url = followed(url, first, answer.headers.location);
    }
  } catch (error) {
    throw new Error(reasonOf(error, signal, limits));
  } finally {
    await Promise.all([agent.destroy(), publicAgent.destroy()]);
  }
}

async function readAnswer(answer: Dispatcher.ResponseData, { bytesMax }: FetchLimits): Promise<Fetched> {
  const { statusCode, headers, body } = answer;
  if (statusCode === 304) {
    await body.dump();
    return { kind: 'unchanged' };
  }
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`it answered ${statusCode}`);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytesMax) throw new Error(`it is larger than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  const validators = { etag: single(headers.etag), lastModified: single(headers['last-modified']) };
  return { kind: 'fetched', bytes: Buffer.concat(chunks), validators };
}

function followed(from: URL, first: URL, location: string | string[] | undefined): URL {
  const target = single(location);
  if (target === undefined) throw new Error('it redirects to nowhere');
  const url = new URL(target, from);
  if (url.protocol !== 'https:' && url.protocol !== first.protocol)
    throw new Error(`it redirects from https to ${url.protocol}//`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Error(`it redirects to ${url.protocol}//`);
  if (url.origin !== first.origin) refuseInternalLiteral(url.hostname);
  return url;
}

/** A name is judged when it is looked up; an address that stands in the URL is never looked up. */
function refuseInternalLiteral(hostname: string): void {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(bare) && !isPublic(bare)) throw new InternalAddress(bare);
}

const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const internal = addresses.find(({ address }) => !isPublic(address));
    if (internal !== undefined) return callback(new InternalAddress(internal.address), []);
    if (options.all === true) return callback(null, addresses);
    const [only] = addresses;
    return callback(null, only?.address ?? '', only?.family ?? 4);
  });
};

class InternalAddress extends Error {
  constructor(address: string) {
    super(`it redirects to the internal address ${address}`);
  }
}

/** `process` maps ::ffff:10.0.0.1 to what it really is. */
function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}

function reasonOf(error: unknown, signal: AbortSignal, { deadlineMs }: FetchLimits): string {
  if (signal.aborted) return `it took longer than ${deadlineMs} ms`;
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
