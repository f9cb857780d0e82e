import { ApiError } from '../../api/api-error.ts';

/** Messages such as "is too common" lack their subject: the API's name of the field, or the label of the form. */
const PREDICATE = /^(?:is|must|has|have|lies|does|do|needs|was)\b/;

/** A sentence about a field that names it by its label. */
export const fieldSentence = (label: string, message: string): string =>
  PREDICATE.test(message) ? `${label} ${message}` : message.charAt(0).toUpperCase() + message.slice(1);

/** The error to show at the input of an API field; null when the API did not object to it. */
export function fieldError(error: unknown, field: string, label: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const found = error.fields.find((one) => one.field === field || one.field.startsWith(`${field}.`));
  return found ? fieldSentence(label, found.message) : null;
}
