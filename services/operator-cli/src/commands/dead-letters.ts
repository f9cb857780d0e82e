import { appendOperatorEvent } from '@verdict/db/accounts/operator-events.js';
import { createDeadLetters, type DeadLetters } from '@verdict/queues/dead-letters.js';
import type { Command } from 'commander';
import { withDatabase, withRedis } from '../connect.js';
import type { Context } from '../context.js';
import { operatorAudit } from '../operator-audit.js';

const withDeadLetters = <T>(run: (letters: DeadLetters) => Promise<T>): Promise<T> =>
  withRedis(async (redis) => {
    const letters = createDeadLetters({ connection: redis, onError: () => {} });
    try {
      return await run(letters);
    } finally {
      await letters.close();
    }
  });

export function addDeadLetters(program: Command, { output, fail }: Context): void {
  const command = program
    .command('dead-letters')
    .description('list, retry and discard checks that could not be stored');

  command
    .command('list')
    .description('list them without payloads, which hold addresses')
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
    .description('queue them again, all of them without ids')
    .action(async (ids: string[]) => {
      const retried = await withDeadLetters(async (dead) => {
        const chosen = ids.length > 0 ? ids : (await dead.list()).map(({ id }) => id);
        const done: { id: string; retried: boolean }[] = [];
        for (const id of chosen) done.push({ id, retried: await dead.retry(id) });
        return done;
      });
      output().rows(retried, 'There are no dead letters.');
      if (retried.some((one) => !one.retried)) fail();
    });

  command
    .command('discard <ids...>')
    .description('delete them; their checks are not billed and return to the quota')
    .action(async (ids: string[]) => {
      // Audited before it is done: discarded checks are not billed, and the customer may ask why.
      const discarded = await withDatabase((db) =>
        withDeadLetters(async (dead) => {
          await appendOperatorEvent(db, operatorAudit('dead_letters.discarded', ids.join(' ')));
          const done: { id: string; discarded: boolean }[] = [];
          for (const id of ids) done.push({ id, discarded: await dead.remove(id) });
          return done;
        }),
      );
      output().rows(discarded, '');
      if (discarded.some((one) => !one.discarded)) fail();
    });

  command
    .command('export')
    .description('print JSON lines with payloads')
    .action(async () => {
      const letters = await withDeadLetters((dead) => dead.list());
      for (const letter of letters) output().text(`${JSON.stringify(letter)}\n`);
    });
}
