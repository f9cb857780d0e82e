import { RELEASES_PATH } from '@verdict/contracts/control-plane-api.js';
import { INDEX_FILE, RELEASES_FOLDER } from '@verdict/datasets/releases/release-index.js';
import { folderPlace } from '@verdict/datasets/releases/release-place.js';
import { sha256 } from '@verdict/datasets/sha256.js';
import { notFound } from '@verdict/service-kit/errors.js';
import type { FastifyInstance } from 'fastify';

const RELEASE = /^\d{4}-\d{2}-\d{2}(?:\.\d{1,3})?$/;
const FILE = /^[a-z-]+\.(?:txt|json)$/;

/**
 * Published lists for replicas that share no disk with the worker. No token, because scoring has no secrets, lists are
 * public, the port is internal, and signatures are verified.
 */
export function releaseRoutes(app: FastifyInstance, directory: string): void {
  const place = folderPlace(directory);

  app.get(`${RELEASES_PATH}/${INDEX_FILE}`, async (request, reply) => {
    const index = await place.index();
    if (index === undefined) throw notFound('No release has been published yet.');
    const etag = `"${sha256(index)}"`;
    reply.header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type('application/json').send(index);
  });

  app.get<{ Params: { release: string; file: string } }>(
    `${RELEASES_PATH}/${RELEASES_FOLDER}/:release/:file`,
    async (request, reply) => {
      const { release, file } = request.params;
      // Both become parts of a path.
      const bytes =
        RELEASE.test(release) && FILE.test(file)
          ? await place.file(release, file).catch(() => undefined)
          : undefined;
      if (bytes === undefined) throw notFound('There is no such file.');
      return reply.type('application/octet-stream').send(bytes);
    },
  );
}
