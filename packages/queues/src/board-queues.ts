import { type ConnectionOptions, Queue } from 'bullmq';
import { CHECK_LOG_QUEUE, DEAD_LETTER_PREFIX, DEAD_LETTER_QUEUE, shardPrefix } from './queue-names.js';

interface BoardOptions {
  readonly connection: ConnectionOptions;
  readonly shards: number;
  readonly onError: (error: Error) => void;
}

/** Every queue with a title that names its shard, for a page that shows them. */
export function createBoardQueues({ connection, shards, onError }: BoardOptions) {
  const open = (title: string, name: string, prefix: string) => {
    const queue = new Queue(name, { connection, prefix, skipVersionCheck: true });
    queue.on('error', onError);
    return { title, queue };
  };
  const queues = [
    ...Array.from({ length: shards }, (_, shard) => open(`${shard}`, CHECK_LOG_QUEUE, shardPrefix(shard))),
    open('dead', DEAD_LETTER_QUEUE, DEAD_LETTER_PREFIX),
  ];
  return {
    queues,
    async close() {
      await Promise.all(queues.map(({ queue }) => queue.close()));
    },
  };
}
