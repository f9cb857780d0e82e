import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import { timeOfId } from '@verdict/domain/id.js';
import { monthOf } from '@verdict/domain/month.js';
import type { AppError } from '@verdict/service-kit/app-error.js';
import { notFound } from '@verdict/service-kit/errors.js';
import { nothingHere } from '../http/own-id.js';

/** Why a check cannot be shown. Any id of an archived month gets the same answer, so it says nothing about another account. */
export async function missingCheck({ logs }: Pick<AccountScope, 'logs'>, id: string): Promise<AppError> {
  const month = monthOf(new Date(timeOfId(id)));
  return (await logs.isArchived(month))
    ? notFound(`Checks of ${month} are archived. Ask the operator of this service for this one.`)
    : nothingHere();
}
