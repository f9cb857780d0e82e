import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { OPENAPI_PATH } from '@verdict/contracts/api-paths.js';
import { assetPath } from '@verdict/domain/asset-path.js';
import { compressAnswer } from '@verdict/service-kit/compress-answer.js';
import type { ControlPlaneApp } from '../http/control-plane-app.js';

/** Serves the document that the build wrote. It never changes while a release runs, so readers who have it get a 304. */
export async function openApiRoute(app: ControlPlaneApp): Promise<void> {
  const text = await readFile(assetPath('openapi.json'), 'utf8');
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  app.get(OPENAPI_PATH, { onSend: compressAnswer }, async (request, reply) => {
    reply.header('cache-control', 'no-cache').header('etag', tag);
    if (request.headers['if-none-match']?.includes(tag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
