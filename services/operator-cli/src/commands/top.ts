import { topAccounts } from '@verdict/redis-store/account-load.js';
import { type Command, InvalidArgumentError } from 'commander';
import { withRedis } from '../connect.js';
import type { Context } from '../context.js';

const SHOWN = 10;
const SHOWN_MAX = 1_000;

/** Reads Redis alone, so that it answers while Postgres is away. */
export function addTop(program: Command, { output }: Context): void {
  program
    .command('top')
    .description('show the accounts with the most requests in five minutes, refused ones included')
    .option('--limit <number>', 'accounts to show', readLimit, SHOWN)
    .action(async ({ limit }: { limit: number }) => {
      const accounts = await withRedis((redis) => topAccounts(redis, limit));
      output().rows(
        accounts.map(({ accountId, answered, refused }) => ({ account: accountId, answered, refused })),
        'No account has sent a request in the last five minutes.',
      );
    });
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > SHOWN_MAX)
    throw new InvalidArgumentError(`must be a whole number from 1 to ${SHOWN_MAX}.`);
  return limit;
}
