import fastifyStatic from '@fastify/static';
import { isPage } from '@verdict/contracts/pages.js';
import type { UnknownAddress } from '@verdict/service-kit/error-handling.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasSession } from '../auth/session-mark.js';
import type { ControlPlaneApp } from '../http/control-plane-app.js';
import { findWebFiles } from './find-web-files.js';
import { type FrontPageFacts, readFrontPage } from './front-page.js';
import { MISSING_BUILD_PAGE } from './missing-build-page.js';
import { PAGE_HEADERS } from './page-headers.js';

const API = /^\/api(\/|$)/;
/** Vite names these after their content, and clients have their version in the name. */
const IMMUTABLE = /^\/assets\/|^\/sdk\/[^/]+-\d+\.\d+\.\d+[^/]*$/;
/** The index that pip reads, and never a page of the application. */
const SDK = /^\/sdk\//;
const FIRST_GUIDE = '/docs/quickstart';
const ROBOTS = 'User-agent: *\nAllow: /$\nAllow: /docs\nAllow: /assets/\nDisallow: /\n';
const NO_ROBOTS = 'User-agent: *\nDisallow: /\n';
const YEAR_MS = 31_536_000_000;

/** Lets replies send the built files, compressed when they were built. To be registered before any request. */
export async function registerWebFiles(app: ControlPlaneApp, directory: string): Promise<void> {
  if (!findWebFiles(directory)) return;
  await app.register(fastifyStatic, { root: directory, serve: false, preCompressed: true });
}

export interface WebOptions extends FrontPageFacts {
  /** Whether guests and search engines see the front page and the docs. */
  readonly isPublic: boolean;
}

/**
 * Serves the web application for addresses without a route: the front page to guests, guides as text, the application
 * for its own addresses, 404 for any other page. API addresses get the JSON 404.
 */
export function answerWithPage(directory: string, { isPublic, ...facts }: WebOptions): UnknownAddress {
  const files = findWebFiles(directory);
  const frontPage = isPublic ? readFrontPage(directory, facts) : null;
  return (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const path = request.url.split('?')[0] ?? '/';
    if (API.test(path)) return undefined;
    if (!isPublic) reply.header('x-robots-tag', 'noindex');
    if (path === '/robots.txt') return sendText(reply, 'text/plain', isPublic ? ROBOTS : NO_ROBOTS);
    if (files?.has(path)) return sendFile(reply, path);
    if (SDK.test(path)) {
      const index = `${path.replace(/\/$/, '')}/index.html`;
      return files?.has(index) ? sendFile(reply, index) : undefined;
    }
    if (path !== '/' && !wantsPage(request)) return undefined;
    if (path === '/') reply.header('vary', 'cookie');
    if (path === '/' && frontPage && !hasSession(request))
      return sendText(reply, 'text/html', frontPage(`${request.protocol}://${request.host}`, new Date()));
    const guide = `${path === '/docs' ? FIRST_GUIDE : path.replace(/\/$/, '')}.html`;
    if (files?.has(guide)) return sendFile(reply, guide);
    if (files) return sendFile(reply.code(isPage(path) ? 200 : 404), '/index.html');
    return wantsPage(request)
      ? reply.code(503).headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(MISSING_BUILD_PAGE)
      : undefined;
  };
}

function sendText(reply: FastifyReply, type: 'text/html' | 'text/plain', text: string): FastifyReply {
  reply.removeHeader('cache-control');
  return reply
    .headers(PAGE_HEADERS)
    .header('cache-control', 'no-cache')
    .type(`${type}; charset=utf-8`)
    .send(text);
}

const sendFile = (reply: FastifyReply, path: string): FastifyReply => {
  reply.headers(PAGE_HEADERS);
  // Without this the root's no-store would stay beside what is set here.
  reply.removeHeader('cache-control');
  if (IMMUTABLE.test(path)) return reply.sendFile(path, { maxAge: YEAR_MS, immutable: true });
  return reply.header('cache-control', 'no-cache').sendFile(path, { cacheControl: false });
};

const wantsPage = (request: FastifyRequest): boolean => /text\/html/.test(request.headers.accept ?? '');
