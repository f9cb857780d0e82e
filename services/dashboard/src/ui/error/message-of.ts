import { ApiError } from '../../api/api-error.ts';
import { fieldSentence } from './field-error.ts';

/** The name of an API field as a word: `current_password` is "Current password". */
export const wordsOf = (field: string): string => {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** One line about a failure, for where there is room for one line. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something on this page failed.';
  const [first] = error.fields;
  return first ? fieldSentence(wordsOf(first.field), first.message) : error.message;
}
