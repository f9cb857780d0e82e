import { type ListValue, parseListValue } from '@verdict/domain/list-value.js';
import { invalidField } from '@verdict/service-kit/errors.js';

interface Sent {
  readonly value?: string;
  readonly mx?: string;
  readonly match?: ListValue['match'];
}

/** Reads the subject of an entry: either a `value`, or a mail server as `mx`. */
export function readEntry({ value, mx, match }: Sent): {
  readonly entry: ListValue;
  readonly field: 'value' | 'mx';
  readonly sent: string;
} {
  if (value !== undefined && mx !== undefined) throw invalidField('mx', 'goes without a value');
  if (mx !== undefined && match !== undefined && match !== 'mx')
    throw invalidField('match', 'must be mx beside a mail server');
  const field = mx === undefined ? 'value' : 'mx';
  const sent = mx ?? value;
  if (sent === undefined) throw invalidField('value', 'is required');
  const parsed = parseListValue(sent, field === 'mx' ? 'mx' : match);
  if (!parsed.ok) throw invalidField(field, parsed.message);
  return { entry: parsed.entry, field, sent };
}
