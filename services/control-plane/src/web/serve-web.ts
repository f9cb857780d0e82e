import fastifyStatic from '@fastify/static';
import type { UnknownAddress } from '@verdict/service-kit/error-handling.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ControlPlaneApp } from '../http/control-plane-app.js';
import { findWebFiles } from './find-web-files.js';
import { MISSING_BUILD_PAGE } from './missing-build-page.js';
import { PAGE_HEADERS } from './page-headers.js';

const API = /^\/api(\/|$)/;
/** Vite names these after their content, and clients have their version in the name. */
const IMMUTABLE = /^\/assets\/|^\/sdk\/[^/]+-\d+\.\d+\.\d+[^/]*$/;
/** The index that pip reads, and never a page of the application. */
const SDK = /^\/sdk\//;
const YEAR_MS = 31_536_000_000;

/** Lets replies send the built files, compressed when they were built. To be registered before any request. */
export async function registerWebFiles(app: ControlPlaneApp, directory: string): Promise<void> {
  if (!findWebFiles(directory)) return;
  await app.register(fastifyStatic, { root: directory, serve: false, preCompressed: true });
}

/**
 * Serves the web application for addresses without a route. Any address that a browser opens outside the API is a page
 * of the application; API addresses get the JSON 404.
 */
export function answerWithPage(directory: string): UnknownAddress {
  const files = findWebFiles(directory);
  return (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const path = request.url.split('?')[0] ?? '/';
    if (API.test(path)) return undefined;
    if (files?.has(path)) return sendFile(reply, path);
    if (SDK.test(path)) {
      const index = `${path.replace(/\/$/, '')}/index.html`;
      return files?.has(index) ? sendFile(reply, index) : undefined;
    }
    if (path !== '/' && !wantsPage(request)) return undefined;
    if (files) return sendFile(reply, '/index.html');
    return wantsPage(request)
      ? reply.code(503).headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(MISSING_BUILD_PAGE)
      : undefined;
  };
}

const sendFile = (reply: FastifyReply, path: string): FastifyReply => {
  reply.headers(PAGE_HEADERS);
  // Without this the root's no-store would stay beside what is set here.
  reply.removeHeader('cache-control');
  if (IMMUTABLE.test(path)) return reply.sendFile(path, { maxAge: YEAR_MS, immutable: true });
  return reply.header('cache-control', 'no-cache').sendFile(path, { cacheControl: false });
};

const wantsPage = (request: FastifyRequest): boolean => /text\/html/.test(request.headers.accept ?? '');
