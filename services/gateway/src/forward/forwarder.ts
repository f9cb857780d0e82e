import { normalizeIP } from '@fastify/rate-limit';
import { isDownload } from '@verdict/contracts/api-paths.js';
import { tooManyRequests, unavailable } from '@verdict/service-kit/errors.js';
import { allowLongUpload } from '@verdict/service-kit/long-uploads.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { verifyToken } from '../auth/verify-token.js';
import { opensPage, sendAwayPage } from './away-page.js';
import { replyHeaders, requestHeaders } from './hop-headers.js';
import { arrivingAtMinimumRate, atMinimumRate } from './minimum-rate.js';
import { createPlaces, type Leave, type Places } from './places.js';
import { createUpstream, type Upstream, type UpstreamAnswer } from './upstream.js';

/** Requests with small answers: so many at once, and as many again as may wait for a connection. */
const CONNECTIONS = 64;
const WAITING_MAX = 192;
const PER_HOLDER = 48;
/** More than any page of a listing has; what is longer is a download and has an address of one. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;

/** Files that take their time. They wait for nobody and nobody waits for them. */
const DOWNLOADS = 16;
const DOWNLOADS_PER_HOLDER = 4;
/** Less than any modem does; over a window that forgives a pause. */
const DOWNLOAD_RATE = { bytesPerSecond: 4 * 1024, windowMs: 15_000 };

/** Files that arrive: as slow as their senders are, and each holds a connection. */
const UPLOADS = 8;
const UPLOADS_PER_HOLDER = 2;
const UPLOAD_RATE = { bytesPerSecond: 16 * 1024, windowMs: 15_000 };
/** The last rows of a file have to be stored before there is an answer, and Postgres may be busy with others'. */
const UPLOAD_ANSWER_MS = 300_000;

const RETRY_SECONDS = 1;

export type Forward = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

interface Lane {
  readonly upstream: Upstream;
  readonly places: Places;
}

/**
 * Takes requests to the control plane. By the time one gets here its body is complete, and a small answer is read whole before
 * it is passed on: neither a client that sends slowly nor one that reads slowly ever holds a connection upstream.
 */
export function createForwarder(url: string) {
  const answers: Lane = {
    upstream: createUpstream(url, CONNECTIONS),
    places: createPlaces({ total: CONNECTIONS + WAITING_MAX, perHolder: PER_HOLDER }),
  };
  const downloads: Lane = {
    upstream: createUpstream(url, DOWNLOADS),
    places: createPlaces({ total: DOWNLOADS, perHolder: DOWNLOADS_PER_HOLDER }),
  };

  const uploads: Lane = {
    upstream: createUpstream(url, UPLOADS, UPLOAD_ANSWER_MS),
    places: createPlaces({ total: UPLOADS, perHolder: UPLOADS_PER_HOLDER }),
  };

  const forward: Forward = async (request, reply) => {
    const download = isDownload(request.url);
    const { upstream, places } = download ? downloads : answers;
    const leave = place(places, [`ip ${normalizeIP(request.ip)}`, ...(await accountOf(request))]);
    // A place is free again when the last byte has left or the client has.
    if (download) reply.raw.once('close', leave);
    try {
      const answer = await upstream.request({
        method: request.method,
        path: request.url,
        headers: headersFor(request),
        body: Buffer.isBuffer(request.body) ? request.body : null,
      });
      reply.code(answer.status).headers(replyHeaders(answer.headers));
      if (request.method === 'HEAD') return await endHead(reply, answer);
      return reply.send(download ? atMinimumRate(answer.body, DOWNLOAD_RATE) : await readWhole(answer));
    } catch (error) {
      if (opensPage(request)) {
        request.log.warn({ err: error }, 'the control plane is away');
        return sendAwayPage(reply);
      }
      throw unavailable('control plane', error);
    } finally {
      if (!download) leave();
    }
  };

  /** A file, passed on as it arrives. Whoever sends it was asked who they are before, so a place is never a stranger's. */
  const forwardUpload = async (request: FastifyRequest, reply: FastifyReply, accountId: string) => {
    const leave = place(uploads.places, [`ip ${normalizeIP(request.ip)}`, `account ${accountId}`]);
    allowLongUpload(request.raw);
    try {
      const answer = await uploads.upstream.request({
        method: request.method,
        path: request.url,
        headers: headersFor(request),
        body: arrivingAtMinimumRate(request.raw, UPLOAD_RATE),
      });
      reply.code(answer.status).headers(replyHeaders(answer.headers));
      return reply.send(await readWhole(answer));
    } catch (error) {
      throw unavailable('control plane', error);
    } finally {
      leave();
    }
  };

  return {
    forward,
    forwardUpload,
    async close() {
      await Promise.all([answers, downloads, uploads].map(({ upstream }) => upstream.close()));
    },
  };
}

const headersFor = (request: FastifyRequest) => ({
  ...requestHeaders(request.headers),
  'x-forwarded-for': request.ip,
  'x-forwarded-host': request.host,
  'x-forwarded-proto': request.protocol,
  'x-request-id': request.id,
});

function place(places: Places, holders: readonly string[]): Leave {
  const taken = places.take(...holders);
  if (taken === 'many') throw tooManyRequests(RETRY_SECONDS);
  if (taken === 'full') throw unavailable('forwarding: every place is taken');
  return taken;
}

/** Whose token it is, if it is a good one: a forged token must not use up somebody else's places. */
async function accountOf(request: FastifyRequest): Promise<string[]> {
  if (request.headers.authorization === undefined) return [];
  return verifyToken(request).then(
    ({ acc }) => [`account ${acc}`],
    () => [],
  );
}

async function endHead(reply: FastifyReply, { headers, body }: UpstreamAnswer): Promise<FastifyReply> {
  body.resume();
  if (headers['content-length'] !== undefined) reply.header('content-length', headers['content-length']);
  return reply.send();
}

async function readWhole({ body }: UpstreamAnswer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the answer of the control plane is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}
