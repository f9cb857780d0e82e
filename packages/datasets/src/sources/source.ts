import { IpKindSchema } from '@verdict/contracts/ip-network.js';
import { type Static, Type } from 'typebox';
import { DATASET_NAMES, type DatasetName, TierSchema } from '../manifest.js';

/** How a source publishes its names. */
const ReadingSchema = Type.Object(
  {
    format: Type.Union(
      [
        Type.Literal('lines', { description: 'one name a line; # begins a comment' }),
        Type.Literal('json', { description: 'an array of names' }),
        Type.Literal('json-keys', { description: 'an object whose keys are the names' }),
        Type.Literal('quoted', { description: 'quoted names in program text, which is never run' }),
      ],
      { description: 'lines, json, json-keys or quoted' },
    ),
    archive: Type.Optional(Type.Literal('zip', { description: 'The download is a zip archive' })),
    file: Type.Optional(Type.String({ description: 'Path inside an npm package or an archive' })),
    at: Type.Optional(Type.String({ description: 'Field of the document that holds the names' })),
    operator: Type.Optional(
      Type.String({ description: 'Field of a json-keys entry that names who runs it' }),
    ),
    seen: Type.Optional(
      Type.Object(
        {
          last: Type.String({ description: 'Field of a json-keys entry: when it was last seen, in seconds' }),
          made: Type.String({ description: 'Field of the document: when it was made, in seconds' }),
        },
        { additionalProperties: false, description: 'Where the source says which names it saw of late' },
      ),
    ),
    after: Type.Optional(Type.String({ description: 'quoted: text before the names' })),
    before: Type.Optional(Type.String({ description: 'quoted: text behind the names' })),
  },
  { additionalProperties: false },
);
export type Reading = Static<typeof ReadingSchema>;

const Shared = {
  licence: Type.String({ minLength: 1 }),
  version: Type.Optional(Type.String({ description: 'Of the package that the shipped data was built from' })),
  as_of: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
};

/** A list maintained elsewhere. */
const ListedSourceSchema = Type.Object(
  {
    ...Shared,
    kind: Type.Union([Type.Literal('npm'), Type.Literal('url'), Type.Literal('file')]),
    from: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Package, address or path; a package may go by the source’s name',
      }),
    ),
    registry: Type.Optional(
      Type.String({ pattern: '^https?://', description: 'Of an npm package, when not the common one' }),
    ),
    tier: Type.Optional(TierSchema),
    marks: Type.Optional({ ...IpKindSchema, description: 'ip_networks: the kind of its networks' }),
    read: ReadingSchema,
    supersedes: Type.Optional(Type.String({ description: 'Source that is left out once this one was read' })),
    tolerates: Type.Optional(
      Type.Array(Type.String(), { description: 'Names of the never-list that it is known to carry' }),
    ),
    bytes_max: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Largest answer, when not the common one' }),
    ),
    deadline_ms: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Longest wait for it, when not the common one' }),
    ),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** Other inputs of the build: our lists, and a library with data. */
const OwnSourceSchema = Type.Object(
  {
    ...Shared,
    kind: Type.Union([Type.Literal('hand'), Type.Literal('library')]),
    use: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

export const SourceTableSchema = Type.Record(
  Type.Enum(DATASET_NAMES),
  Type.Record(
    Type.String({ pattern: '^[a-z0-9@/._-]+$' }),
    Type.Union([ListedSourceSchema, OwnSourceSchema]),
  ),
);

/** Sources by dataset and name, as SourceTableSchema checks them. */
export type SourceTable = Record<
  DatasetName,
  Record<string, Static<typeof ListedSourceSchema> | Static<typeof OwnSourceSchema>>
>;

export type ListedSource = Static<typeof ListedSourceSchema> & {
  readonly name: string;
  readonly feeds: DatasetName;
};
export type OwnSource = Static<typeof OwnSourceSchema> & {
  readonly name: string;
  readonly feeds: DatasetName;
};
export type Source = ListedSource | OwnSource;

export function isListed(source: Source): source is ListedSource {
  return source.kind !== 'hand' && source.kind !== 'library';
}
