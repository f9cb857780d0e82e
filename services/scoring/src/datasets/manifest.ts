import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** Written by `pnpm datasets:build`, read back by every load. A new form gets a new number. */
export const MANIFEST_SCHEMA = 1;
export const MANIFEST_FILE = 'manifest.json';

const Counts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }));

const DatasetSchema = Type.Object(
  {
    version: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    file: Type.String({ pattern: '^[a-z-]+\\.txt$' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    count: Type.Integer({ minimum: 1 }),
    sources: Counts,
    notes: Type.Optional(Counts),
  },
  { additionalProperties: false },
);
export type DatasetEntry = Static<typeof DatasetSchema>;

export const ManifestSchema = Type.Object(
  {
    schema: Type.Literal(MANIFEST_SCHEMA),
    operators: Type.Array(Type.String(), { description: 'Named by position in the disposable file' }),
    datasets: Type.Object(
      {
        disposable_domains: DatasetSchema,
        disposable_mail_addresses: DatasetSchema,
        disposable_mail_hosts: DatasetSchema,
        established_sites: Type.Optional(DatasetSchema),
        free_providers: DatasetSchema,
        freshly_crawled: DatasetSchema,
        known_mail: DatasetSchema,
        relays: DatasetSchema,
        risky_endings: DatasetSchema,
        role_prefixes: DatasetSchema,
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type Manifest = Static<typeof ManifestSchema>;
export type DatasetName = keyof Manifest['datasets'];
export type RequiredDatasetName = Exclude<DatasetName, 'established_sites'>;

const check = Compile(ManifestSchema);

export function parseManifest(text: string): Manifest {
  const value: unknown = JSON.parse(text);
  if (!check.Check(value)) {
    const first = check.Errors(value)[0];
    throw new Error(`manifest: ${first?.instancePath ?? ''} ${first?.message ?? 'has the wrong shape'}`);
  }
  return value;
}
