import type { ListValue } from '@verdict/domain/list-value.js';
import { parseListValue } from '@verdict/domain/list-value.js';

export type ImportRow =
  | { readonly ok: true; readonly entry: ListValue; readonly note: string | null }
  | { readonly ok: false; readonly value: string; readonly message: string };

const NOTE_LENGTH_MAX = 200;
const VALUE_SHOWN_MAX = 100;
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

/** One row of an import: a value, or a value with a note. Says what is wrong with it instead of failing the others. */
export function readImportRow(row: unknown): ImportRow {
  const { value, note } = typeof row === 'string' ? { value: row, note: undefined } : fieldsOf(row);
  if (typeof value !== 'string') return refuse('', 'needs a value');
  const parsed = parseListValue(value);
  if (!parsed.ok) return refuse(value, parsed.message);
  if (note === undefined || note === null || note === '')
    return { ok: true, entry: parsed.entry, note: null };
  if (typeof note !== 'string' || note.length > NOTE_LENGTH_MAX || UNSTORABLE.test(note)) {
    return refuse(value, `has a note that is not plain text of at most ${NOTE_LENGTH_MAX} characters`);
  }
  return { ok: true, entry: parsed.entry, note };
}

const fieldsOf = (row: unknown): { value?: unknown; note?: unknown } =>
  typeof row === 'object' && row !== null ? row : {};

const refuse = (value: string, message: string): ImportRow => ({
  ok: false,
  value: value.slice(0, VALUE_SHOWN_MAX),
  message,
});
