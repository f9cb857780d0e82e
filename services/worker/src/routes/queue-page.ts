import { createHash, timingSafeEqual } from 'node:crypto';
import { assetPath } from '@verdict/domain/asset-path.js';
import { createBoardQueues } from '@verdict/queues/board-queues.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import type { FastifyInstance } from 'fastify';

const PATH = '/queues';
/** Shown instead of a job's data, which names checked people. */
const idsOnly = (data: { checks?: { id?: string }[]; logIds?: string[] } | null) => ({
  log_ids: data?.checks?.map(({ id }) => id) ?? data?.logIds ?? [],
});

interface QueuePageOptions {
  readonly redis: RedisConnection;
  readonly shards: number;
  /** The password of user `operator`. */
  readonly token: string;
  readonly onError: (error: Error) => void;
}

/**
 * Bull Board on the internal port, read-only. Loaded only when the credential is set, so that a worker without it pays
 * nothing.
 */
export async function queuePageRoute(
  server: FastifyInstance,
  { redis, shards, token, onError }: QueuePageOptions,
): Promise<void> {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/fastify'),
  ]);
  const board = createBoardQueues({ connection: redis, shards, onError });
  const queues = board.queues.map(({ title, queue }) => {
    const adapter = new BullMQAdapter(queue, { readOnlyMode: true, prefix: `${title} ` });
    adapter.setFormatter('data', idsOnly);
    return adapter;
  });
  const pages = new FastifyAdapter();
  pages.setBasePath(PATH);
  createBullBoard({ queues, serverAdapter: pages, options: { uiBasePath: assetPath('queue-page') } });

  await server.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (isOperator(request.headers.authorization, token)) return;
      reply.header('www-authenticate', 'Basic realm="queues"').code(401);
      return reply.send({ error: 'The operator credential is invalid or missing.' });
    });
    await scope.register(pages.registerPlugin(), { prefix: PATH });
  });
  server.addHook('onClose', board.close);
}

function isOperator(header: string | undefined, token: string): boolean {
  const given = /^Basic (.+)$/.exec(header ?? '')?.[1] ?? '';
  const wanted = Buffer.from(`operator:${token}`).toString('base64');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
