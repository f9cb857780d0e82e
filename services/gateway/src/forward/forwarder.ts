import { AppError } from '@verdict/service-kit/app-error.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { allowLongUpload } from '@verdict/service-kit/long-uploads.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { abandon } from './abandon.js';
import { arrivingAtLeastRate } from './arriving.js';
import { opensPage, sendAwayPage } from './away-page.js';
import { createForwardingShares, ownersOf } from './forwarding-shares.js';
import { replyHeaders, requestHeaders } from './hop-headers.js';
import { createUpstream, type UpstreamAnswer } from './upstream.js';

/** Larger answers pass as streams, and so do those of unknown length. */
const WHOLE_ANSWER_BYTES_MAX = 1024 * 1024;
/** The last rows of a file have to be stored before there is an answer, and Postgres may be busy with others'. */
const UPLOAD_ANSWER_MS = 300_000;

export type Forward = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export type Forwarder = ReturnType<typeof createForwarder>;

/**
 * Takes requests to the control plane. Bodies are complete before they are sent and small answers are read whole, so that a
 * slow client holds memory of its own share and no connection upstream.
 */
export function createForwarder(url: string) {
  const shares = createForwardingShares();
  const upstream = createUpstream(url, shares.connectionsMax);

  const forward: Forward = async (request, reply) => {
    const owners = await ownersOf(request);
    const bytes = shares.bytes(owners, reply.raw);
    const connection = await shares.connection(owners, reply.raw);
    try {
      const body = Buffer.isBuffer(request.body) ? request.body : null;
      const answer = await send(request, body);
      if (reply.raw.destroyed) return leave(reply, answer);
      reply.code(answer.status).headers(replyHeaders(answer.headers));
      if (request.method === 'HEAD') return endHead(reply, answer);
      const length = lengthOf(answer);
      if (length > WHOLE_ANSWER_BYTES_MAX) shares.stream(owners, reply.raw, answer.body);
      else bytes(length, answer.body);
      return reply.send(length > WHOLE_ANSWER_BYTES_MAX ? answer.body : await readWhole(answer));
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 503 || !opensPage(request)) throw error;
      request.log.warn({ err: error }, 'the control plane is away');
      return sendAwayPage(reply);
    } finally {
      connection.release();
    }
  };

  /** A file, passed on as it arrives. Its sender was authenticated before, so a stranger never holds a place. */
  const forwardUpload = async (request: FastifyRequest, reply: FastifyReply, accountId: string) => {
    const owners = [...new Set([...(await ownersOf(request)), `account ${accountId}`])];
    allowLongUpload(request.raw);
    const place = await shares.upload(owners, reply.raw);
    try {
      const answer = await send(
        request,
        arrivingAtLeastRate(request.raw, shares.uploadRate),
        UPLOAD_ANSWER_MS,
      );
      reply.code(answer.status).headers(replyHeaders(answer.headers));
      return reply.send(await readWhole(answer));
    } finally {
      place.release();
    }
  };

  /** Asks the control plane for the gateway itself. */
  async function ask(path: string, headers: Record<string, string>) {
    const answer = await upstream.request({ method: 'GET', path, headers, body: null }).catch((error) => {
      throw unavailable('control plane', error);
    });
    const bytes = await readWhole(answer);
    if (answer.status !== 200) throw unavailable('control plane', new Error(`${path}: ${answer.status}`));
    return { headers: replyHeaders(answer.headers), bytes };
  }

  async function send(
    request: FastifyRequest,
    body: UpstreamBody,
    answerMs?: number,
  ): Promise<UpstreamAnswer> {
    const { method, url: path } = request;
    try {
      return await upstream.request({ method, path, headers: headersFor(request), body, answerMs });
    } catch (error) {
      throw unavailable('control plane', error);
    }
  }

  return { forward, forwardUpload, ask, shares, close: () => upstream.close() };
}

type UpstreamBody = Parameters<ReturnType<typeof createUpstream>['request']>[0]['body'];

const headersFor = (request: FastifyRequest) => ({
  ...requestHeaders(request.headers),
  'x-forwarded-for': request.ip,
  'x-forwarded-host': request.host,
  'x-forwarded-proto': request.protocol,
  'x-request-id': request.id,
});

const EMPTY = new Set([204, 304]);

const lengthOf = ({ status, headers }: UpstreamAnswer): number =>
  EMPTY.has(status) ? 0 : Number(headers['content-length'] ?? Infinity);

/** The client has gone: nobody would ever read the answer, and its connection would be held for good. */
function leave(reply: FastifyReply, { body }: UpstreamAnswer): FastifyReply {
  abandon(body);
  return reply.hijack();
}

function endHead(reply: FastifyReply, { headers, body }: UpstreamAnswer): FastifyReply {
  body.resume();
  if (headers['content-length'] !== undefined) reply.header('content-length', headers['content-length']);
  return reply.send();
}

async function readWhole({ body }: UpstreamAnswer): Promise<Buffer> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    throw unavailable('control plane', error);
  }
}
