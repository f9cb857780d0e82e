import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** The published releases and the active one. One small file, replaced atomically, so a reader sees old or new. */
export const INDEX_FILE = 'index.json';
export const RELEASES_FOLDER = 'releases';
export const RELEASES_KEPT = 10;

/** The day of the build; a second one of a day is .2. */
const RELEASE_ID = '^\\d{4}-\\d{2}-\\d{2}(\\.\\d{1,3})?$';

const ReleaseSchema = Type.Object(
  {
    id: Type.String({ pattern: RELEASE_ID }),
    published_at: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z$' }),
    manifest_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  { additionalProperties: false },
);
export type Release = Static<typeof ReleaseSchema>;

const ReleaseIndexSchema = Type.Object(
  {
    schema: Type.Literal(1),
    /** Rises with every change, going back to an older release included: an old index cannot be passed off as new. */
    changed_at: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z$' }),
    current: Type.String({ pattern: RELEASE_ID }),
    releases: Type.Array(ReleaseSchema, { minItems: 1, description: 'Newest first' }),
  },
  { additionalProperties: false },
);
export type ReleaseIndex = Static<typeof ReleaseIndexSchema>;

const check = Compile(ReleaseIndexSchema);

export function parseIndex(text: string): ReleaseIndex {
  const value: unknown = JSON.parse(text);
  if (!check.Check(value)) {
    const first = check.Errors(value)[0];
    throw new Error(`index: ${first?.instancePath ?? ''} ${first?.message ?? 'has the wrong shape'}`);
  }
  return value;
}

export function currentRelease({ current, releases }: ReleaseIndex): Release {
  return findRelease(releases, current) ?? refuse(`index: the release ${current} is not in it`);
}

/** By its id, or the one that was the newest on that day. */
export function findRelease(releases: readonly Release[], wanted: string): Release | undefined {
  const exact = releases.find(({ id }) => id === wanted);
  if (exact !== undefined || wanted.includes('.')) return exact;
  return releases.find(({ id }) => id.slice(0, 10) <= wanted);
}

/** The id for a release of that day. */
export function nextReleaseId(releases: readonly Release[], date: string): string {
  const today = releases.filter(({ id }) => id.slice(0, 10) === date);
  if (today.length === 0) return date;
  const highest = Math.max(...today.map(({ id }) => Number(id.slice(11) || '1')));
  return `${date}.${highest + 1}`;
}

function refuse(message: string): never {
  throw new Error(message);
}
