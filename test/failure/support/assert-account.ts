import type { Test } from 'tap';
import type { Account } from './account-for.js';
import { printFigures } from './print-figures.js';

/** Every answer is one row, and the counter is what is stored plus what is queued, at every instant. */
export function assertAccount(t: Test, account: Account): void {
  const figures = {
    ...account,
    lost: account.lost.length,
    doubled: account.doubled.length,
    unexplained: account.unexplained.length,
  };
  t.comment(JSON.stringify(figures));
  printFigures(t.name, figures);
  t.ok(account.answered > 0, `${account.answered} of ${account.attempts} attempts were answered`);
  t.strictSame(account.lost, [], 'every answer is its row');
  t.strictSame(account.doubled, [], 'no check has two rows');
  t.strictSame(account.unexplained, [], 'every row belongs to an attempt');
  t.equal(
    account.rows,
    account.answered + account.unconfirmed,
    'extra rows are only those of unconfirmed attempts',
  );
  t.equal(account.rolledUp, account.rows, 'the rollups count every row once');
  t.equal(account.wrongRollups, 0, 'cell by cell');
  t.equal(
    account.differencesMeanwhile,
    0,
    'the counter is what is stored plus what is queued, at any instant',
  );
  t.equal(account.counter, account.rows, 'and what is stored, once nothing is queued');
  t.equal(account.differences, 0, 'reconciliation agrees');
  t.equal(account.failedJobs + account.deadLetters, 0, 'no job failed, no record was set aside');
}
