import { ApiError } from '../api/api-error.ts';

/** One line about a failure, for where there is room for one line. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something in this page failed.';
  const [first] = error.fields;
  return first ? `${error.message} ${first.field}: ${first.message}` : error.message;
}
