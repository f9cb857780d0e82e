import { changeShards } from '@verdict/metering/change-shards.js';
import { createDeadLetters } from '@verdict/queues/dead-letters.js';
import { type Command, InvalidArgumentError } from 'commander';
import { withRedis } from '../connect.js';
import type { Context } from '../context.js';

const SHARDS_MAX = 1_024;

export function addShards(program: Command, { output }: Context): void {
  program
    .command('shards')
    .description('change the number of Redis shards; stop every service first')
    .argument('<number>', 'new value of REDIS_SHARDS', readNumber)
    .action(async (shards: number) => {
      const change = await withRedis(async (redis) => {
        const deadLetters = createDeadLetters({ connection: redis, onError: () => {} });
        try {
          return await changeShards({ redis, deadLetters }, shards);
        } finally {
          await deadLetters.close();
        }
      });
      output().object({ ...change });
    });
}

function readNumber(text: string): number {
  const shards = Number(text);
  if (!Number.isInteger(shards) || shards < 1 || shards > SHARDS_MAX) {
    throw new InvalidArgumentError(`must be a whole number from 1 to ${SHARDS_MAX}.`);
  }
  return shards;
}
