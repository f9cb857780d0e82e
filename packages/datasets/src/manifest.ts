import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** Written by every build, read back by every load. A new form gets a new number. */
export const MANIFEST_SCHEMA = 2;
export const MANIFEST_FILE = 'manifest.json';

/** How far a source is trusted; evidence.ts says what that is worth. */
export const TierSchema = Type.Union([
  Type.Literal('curated'),
  Type.Literal('crawled'),
  Type.Literal('aggregate'),
  Type.Literal('mailchecker'),
]);

const Counts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }));
const DateSchema = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

const DatasetSchema = Type.Object(
  {
    version: DateSchema,
    file: Type.String({ pattern: '^[a-z-]+\\.txt$' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    count: Type.Integer({ minimum: 1 }),
    sources: Counts,
    notes: Type.Optional(Counts),
  },
  { additionalProperties: false },
);
export type DatasetEntry = Static<typeof DatasetSchema>;

const DATASETS = {
  disposable_domains: DatasetSchema,
  disposable_mail_addresses: DatasetSchema,
  disposable_mail_hosts: DatasetSchema,
  // Only where some source has such names.
  established_sites: Type.Optional(DatasetSchema),
  free_providers: DatasetSchema,
  freshly_crawled: Type.Optional(DatasetSchema),
  // Releases that were published before it was known have none.
  ip_networks: Type.Optional(DatasetSchema),
  known_mail: DatasetSchema,
  relays: DatasetSchema,
  risky_endings: DatasetSchema,
  role_prefixes: DatasetSchema,
  // The same.
  sms_gateways: Type.Optional(DatasetSchema),
};
export type DatasetName = keyof typeof DATASETS;
export type RequiredDatasetName = Exclude<
  DatasetName,
  'established_sites' | 'freshly_crawled' | 'ip_networks' | 'sms_gateways'
>;
export const DATASET_NAMES = Object.keys(DATASETS) as DatasetName[];

const ManifestSchema = Type.Object(
  {
    schema: Type.Literal(MANIFEST_SCHEMA),
    release: Type.Optional(Type.String({ description: 'Of a published release; the shipped data has none' })),
    operators: Type.Array(Type.String(), { description: 'Named by position in the disposable file' }),
    disposable_sources: Type.Array(
      Type.Object(
        { name: Type.String(), tier: TierSchema, as_of: DateSchema },
        { additionalProperties: false },
      ),
      { maxItems: 24, description: 'Named by bit in the disposable file, the first by the lowest' },
    ),
    datasets: Type.Object(DATASETS, { additionalProperties: false }),
  },
  { additionalProperties: false },
);
export type Manifest = Static<typeof ManifestSchema>;

const check = Compile(ManifestSchema);

export function parseManifest(text: string): Manifest {
  const value: unknown = JSON.parse(text);
  if (!check.Check(value)) {
    const first = check.Errors(value)[0];
    throw new Error(`manifest: ${first?.instancePath ?? ''} ${first?.message ?? 'has the wrong shape'}`);
  }
  return value;
}
