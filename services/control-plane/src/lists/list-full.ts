import { listCharactersMax } from '@verdict/db/lists/list-entries.js';
import type { Plan, Plans } from '@verdict/domain/plans.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { upgradeBeyond } from '../http/upgrade-beyond.js';

/** Entries that a list has no room for; `fault` begins the sentence. */
export function listFull(
  plans: Plans,
  { listEntries }: Pick<Plan, 'listEntries'>,
  { list, field, fault }: { readonly list: string; readonly field: string; readonly fault: string },
): AppError {
  const message = `${fault}: the ${list} list holds ${listEntries} entries with ${listCharactersMax(listEntries)} characters at most on your plan, and nothing was added`;
  return new AppError(400, 'invalid_request', `${field}: ${message}`, {
    fields: [{ field, message }],
    extra: upgradeBeyond(plans, 'listEntries', listEntries),
  });
}
