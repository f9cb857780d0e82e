import { invalidField } from '@verdict/service-kit/errors.js';

const DAY = /^20\d\d-\d\d-\d\d$/;
const MOMENT = /^20\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/i;
const DAY_MS = 86_400_000;

/** Every `from` of the dashboard's addresses takes the same: a day, which begins at 00:00 UTC, or a moment. */
export const momentFrom = (field: string, text: string): string =>
  DAY.test(text) ? startOf(field, text).toISOString() : moment(field, text);

/** A day as `to` is included, so it ends where the next begins. */
export const momentTo = (field: string, text: string): string =>
  DAY.test(text) ? new Date(startOf(field, text).getTime() + DAY_MS).toISOString() : moment(field, text);

/** The day (UTC) that was named, or that contains the time. */
export const dayIn = (field: string, text: string): string =>
  DAY.test(text)
    ? startOf(field, text).toISOString().slice(0, 10)
    : new Date(moment(field, text)).toISOString().slice(0, 10);

function startOf(field: string, day: string): Date {
  const start = new Date(`${day}T00:00:00Z`);
  // The 31st of a shorter month would silently become the 1st of the next.
  if (Number.isNaN(start.getTime()) || start.toISOString().slice(0, 10) !== day) throw wrong(field);
  return start;
}

/** As it was sent: Postgres reads its microseconds, a Date would drop them. */
function moment(field: string, text: string): string {
  // The + of an unescaped offset arrives as a space.
  const sent = text.replace(' ', '+');
  if (!MOMENT.test(sent) || Number.isNaN(Date.parse(sent))) throw wrong(field);
  return sent;
}

const wrong = (field: string) =>
  invalidField(
    field,
    'must be a day, such as 2026-11-15, or a moment with its offset, such as 2026-11-15T09:30:00Z',
  );
