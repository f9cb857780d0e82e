export interface MeantEnd {
  readonly end: Date;
  /** The version to go back to; null for no policy. */
  readonly back: number | null;
}

const MINUTE = 'YYYY-MM-DDTHH:MM'.length;

/** `2026-11-17 18:00` in UTC. */
export const minuteOf = (at: Date): string => at.toISOString().slice(0, MINUTE).replace('T', ' ');

/** Policies have no end time: the note of a version says until when it was meant, and the page reminds of it. */
export const endNote = ({ end, back }: MeantEnd): string =>
  `Strict until ${minuteOf(end)} UTC, then ${back === null ? 'no policy' : `version ${back}`}`;

const NOTE = /^Strict until (20\d\d-\d\d-\d\d) (\d\d:\d\d) UTC, then (?:no policy|version (\d{1,9}))/;

/** The end that a note names; null for notes that name none. */
export function endOf(note: string | null): MeantEnd | null {
  const [found, day, time, version] = NOTE.exec(note ?? '') ?? [];
  const end = new Date(`${day}T${time}:00Z`);
  if (found === undefined || Number.isNaN(end.getTime())) return null;
  return { end, back: version === undefined ? null : Number(version) };
}
