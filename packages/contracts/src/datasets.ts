import { type Static, Type } from 'typebox';

const VersionSchema = Type.String({ description: 'Date form YYYY-MM-DD', pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

/** The loaded list datasets, in exactly the shape that GET /status/ shows. */
export const DatasetsSchema = Type.Object(
  {
    disposable_domains: Type.Object(
      { count: Type.Integer({ minimum: 0 }), version: VersionSchema },
      { additionalProperties: false },
    ),
    free_providers: Type.Object({ version: VersionSchema }, { additionalProperties: false }),
    role_prefixes: Type.Object({ version: VersionSchema }, { additionalProperties: false }),
  },
  { additionalProperties: false },
);
export type Datasets = Static<typeof DatasetsSchema>;
