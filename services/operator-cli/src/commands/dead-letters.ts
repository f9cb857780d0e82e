import { createDeadLetters, type DeadLetters } from '@verdict/queues/dead-letters.js';
import type { Command } from 'commander';
import { withRedis } from '../connect.js';
import type { Context } from '../context.js';

const withDeadLetters = <T>(run: (letters: DeadLetters) => Promise<T>): Promise<T> =>
  withRedis(async (redis) => {
    const letters = createDeadLetters({ connection: redis, onError: () => {} });
    try {
      return await run(letters);
    } finally {
      await letters.close();
    }
  });

export function addDeadLetters(program: Command, { output }: Context): void {
  const command = program
    .command('dead-letters')
    .description('records that could not be persisted as they are, kept with their payload');

  command
    .command('list')
    .description('without payloads: they hold addresses')
    .action(async () => {
      const letters = await withDeadLetters((dead) => dead.list());
      output().rows(
        letters.map(({ id, reason, logIds, queuedAtMs }) => ({
          id,
          queued_at: new Date(queuedAtMs).toISOString(),
          log_ids: logIds.join(' '),
          reason,
        })),
        'There are no dead letters.',
      );
    });

  command
    .command('retry [ids...]')
    .description('queue them again, all of them without ids; one that is still bad comes back')
    .action(async (ids: string[]) => {
      const retried = await withDeadLetters(async (dead) => {
        const chosen = ids.length > 0 ? ids : (await dead.list()).map(({ id }) => id);
        const done: { id: string; retried: boolean }[] = [];
        for (const id of chosen) done.push({ id, retried: await dead.retry(id) });
        return done;
      });
      output().rows(retried, 'There are no dead letters.');
    });

  command
    .command('export')
    .description('one JSON document per line, payloads and all')
    .action(async () => {
      const letters = await withDeadLetters((dead) => dead.list());
      for (const letter of letters) output().text(`${JSON.stringify(letter)}\n`);
    });
}
