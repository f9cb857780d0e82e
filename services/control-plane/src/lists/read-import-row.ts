import type { NewListEntry } from '@verdict/db/lists/list-entries.js';
import { LIST_MATCHINGS } from '@verdict/domain/account-list.js';
import { parseListValue } from '@verdict/domain/list-value.js';
import { tooWide } from './too-wide.js';

export type ImportRow =
  | { readonly ok: true; readonly entry: Omit<NewListEntry, 'id'> }
  | { readonly ok: false; readonly value: string; readonly message: string };

const NOTE_LENGTH_MAX = 200;
const VALUE_SHOWN_MAX = 100;
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

/** One row of an import: a value, or a value with other fields. Says what is wrong with it instead of failing the others. */
export function readImportRow(row: unknown, now: Date): ImportRow {
  const { mx, note, expires_at, force, ...fields } = typeof row === 'string' ? { value: row } : fieldsOf(row);
  const value = isLeftOut(fields.value) ? mx : fields.value;
  const match = isLeftOut(mx) || !isLeftOut(fields.value) ? fields.match : 'mx';
  if (typeof value !== 'string') return refuse('', 'needs a value');
  const matching = isLeftOut(match) ? 'exact' : LIST_MATCHINGS.find((one) => one === match);
  if (!matching) return refuse(value, `has a match other than ${LIST_MATCHINGS.join(', ')}`);
  const parsed = parseListValue(value, matching);
  if (!parsed.ok) return refuse(value, parsed.message);
  const width = tooWide(parsed.entry);
  if (width !== null && force !== true) return refuse(value, width);
  if (!isLeftOut(note) && !isNote(note))
    return refuse(value, `has a note that is not plain text of at most ${NOTE_LENGTH_MAX} characters`);
  const expiry = isLeftOut(expires_at) ? null : new Date(String(expires_at));
  if (expiry && !(expiry > now)) return refuse(value, 'has an expires_at that is not a time in the future');
  return {
    ok: true,
    entry: {
      ...parsed.entry,
      note: isLeftOut(note) ? null : (note as string),
      expires_at: expiry?.toISOString() ?? null,
    },
  };
}

const fieldsOf = (
  row: unknown,
): Partial<Record<'value' | 'mx' | 'match' | 'note' | 'expires_at' | 'force', unknown>> =>
  typeof row === 'object' && row !== null ? row : {};

const isLeftOut = (field: unknown): boolean => field === undefined || field === null || field === '';

const isNote = (note: unknown): boolean =>
  typeof note === 'string' && note.length <= NOTE_LENGTH_MAX && !UNSTORABLE.test(note);

const refuse = (value: string, message: string): ImportRow => ({
  ok: false,
  value: value.slice(0, VALUE_SHOWN_MAX),
  message,
});
