import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { LogDetailRow } from '@verdict/db/checks/log-reading.js';
import { findArchivedCheck } from '@verdict/db/facts/find-archived-check.js';
import { timeOfId } from '@verdict/domain/id.js';
import { monthOf } from '@verdict/domain/month.js';
import { notFound } from '@verdict/service-kit/errors.js';
import type { Wait } from '@verdict/shares/in-turn.js';
import type { Dependencies } from '../dependencies.js';
import { nothingHere } from '../http/own-id.js';

/** A check of an account, from Postgres or from the files of an archived month. */
export async function findCheck(
  { config, largeWork }: Pick<Dependencies, 'config' | 'largeWork'>,
  { id: accountId, logs }: Pick<AccountScope, 'id' | 'logs'>,
  id: string,
  wait: Wait,
): Promise<LogDetailRow> {
  const stored = await logs.find(id);
  if (stored) return stored;
  const month = monthOf(new Date(timeOfId(id)));
  if (!(await logs.isArchived(month))) throw nothingHere();
  const { FACTS_DIR: folder } = config;
  // Any id of such a month gets the same answer, so it says nothing about another account.
  if (folder === undefined)
    throw notFound(`Checks of ${month} are archived. Ask the operator of this service for this one.`);
  const row = await largeWork(accountId, () => findArchivedCheck(folder, id), wait);
  const archived = row && (await logs.findArchived(row));
  if (!archived) throw nothingHere();
  return archived;
}
