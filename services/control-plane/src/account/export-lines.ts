import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { AccountSearches } from '@verdict/db/accounts/account-searches.js';
import { readBillingProfile } from '@verdict/db/billing/billing-profiles.js';
import { listPlanChanges } from '@verdict/db/billing/plan-changes.js';
import type { Database } from '@verdict/db/database/client.js';
import { listMemberships } from '@verdict/db/people/memberships.js';
import { listSessions } from '@verdict/db/people/sessions.js';
import type { UserRow } from '@verdict/db/people/users.js';
import { LIST_NAMES } from '@verdict/domain/account-list.js';
import type { PageTurn } from '../http/download-turns.js';
import { everyRow } from '../http/send-csv.js';
import { everyResult } from '../jobs/every-result.js';
import { everySum } from '../usage/every-sum.js';

/** Rows may have 32 KB. */
const PAGE_SIZE = 50;
/** Before the first check of any account, and after the last. */
const ALL_TIME = { from: new Date('2000-01-01T00:00:00Z'), to: new Date('2100-01-01T00:00:00Z') };

/** Everything that is kept of an account, a line each. However much it is, one page of it is in memory. */
export async function* exportLines(
  db: Database,
  account: AccountScope,
  user: UserRow,
  turns: ExportTurns,
): AsyncGenerator<string> {
  for await (const { type, row } of rowsOf(db, account, user, turns))
    yield `${JSON.stringify({ type, ...row })}\n`;
}

export interface ExportTurns {
  readonly turn: PageTurn;
  /** Reads a page of checks in the turn of searches. */
  readonly search: <T>(read: (searches: AccountSearches) => Promise<T>) => Promise<T>;
}

interface Line {
  readonly type: string;
  readonly row: object;
}

async function* rowsOf(
  db: Database,
  account: AccountScope,
  user: UserRow,
  { turn, search }: ExportTurns,
): AsyncGenerator<Line> {
  const memberships = await listMemberships(db, user.id);
  yield* typed(
    'account',
    memberships.filter(({ id }) => id === account.id).map(({ id, name, plan }) => ({ id, name, plan })),
  );
  yield { type: 'user', row: user };
  yield* typed('member', await account.members.list());
  yield* typed('invitation', await account.invitations.list());
  const signOn = await account.sso.find();
  if (signOn) {
    const { client_secret: _secret, ...row } = signOn;
    yield { type: 'single_sign_on', row };
  }
  yield* typed('session', await listSessions(db, user.id));
  yield* typed('key', await account.keys.list(Number.MAX_SAFE_INTEGER));
  yield* typed('hook', await account.hooks.list());
  for (const list of LIST_NAMES) {
    const entries = everyRow(
      PAGE_SIZE,
      (before, countMax) => account.lists.page(list, { before, countMax }),
      turn,
    );
    yield* typed('list_entry', entries);
  }
  yield* typed('policy', everyRow(PAGE_SIZE, account.policies.wholePage, turn));
  yield* typed('policy_backtest', await account.backtests.list());
  yield { type: 'billing_profile', row: await readBillingProfile(db, account.id) };
  yield* typed('plan_change', await listPlanChanges(db, account.id));
  yield* typed('statement', await account.statements.list());
  yield* typed('invoice', await account.invoices.list());
  for await (const sum of everySum(account.usage, { ...ALL_TIME, by: 'day' }, turn))
    yield { type: 'usage', row: { ...sum, checks: Number(sum.checks) } };
  const checks = everyRow(PAGE_SIZE, (before, countMax) =>
    search(({ logs }) => logs.page({}, before, countMax)),
  );
  yield* typed('check', checks);
  yield* typed('outcome', everyRow(PAGE_SIZE, account.outcomes.page, turn));
  yield* typed(
    'review',
    everyRow(PAGE_SIZE, (after, countMax) => account.reviews.page('', after, countMax), turn),
  );
  yield* typed(
    'revision',
    everyRow(PAGE_SIZE, (before, countMax) => account.revisions.page(before, countMax), turn),
  );
  yield* typed('refused_requests', await account.refused.list());
  const jobs = everyRow(PAGE_SIZE, account.jobs.page, turn);
  for await (const job of jobs) {
    yield { type: 'job', row: job };
    const rows = everyResult((page) => turn(() => account.jobs.results(job.id, {}, page), true));
    yield* typed('job_row', rows);
  }
  yield* typed(
    'audit_event',
    everyRow(PAGE_SIZE, (before, countMax) => account.audit.page(undefined, before, countMax), turn),
  );
}

async function* typed(type: string, rows: Iterable<object> | AsyncIterable<object>): AsyncGenerator<Line> {
  for await (const row of rows) yield { type, row };
}
