import { type Static, Type } from 'typebox';

/** One refused request, without anything that was sent: field names, never values. */
export const RefusedSampleSchema = Type.Object(
  {
    request_id: Type.String(),
    at: Type.String({ format: 'date-time' }),
    method: Type.String(),
    path: Type.String({ description: 'The route, without its query' }),
    fields: Type.Array(Type.String(), { description: 'The fields that a 400 names' }),
  },
  { additionalProperties: false },
);
export type RefusedSample = Static<typeof RefusedSampleSchema>;

/** Refused requests of one key, alike in status and code. */
const RefusedGroupSchema = Type.Object(
  {
    account_id: Type.String(),
    key_id: Type.String(),
    status: Type.Integer(),
    code: Type.String(),
    count: Type.Integer({ minimum: 1 }),
    samples: Type.Array(RefusedSampleSchema, { maxItems: 5 }),
  },
  { additionalProperties: false },
);
export type RefusedGroup = Static<typeof RefusedGroupSchema>;

/** Samples kept of each group and hour. */
export const REFUSED_SAMPLES_MAX = 5;
export const REFUSED_GROUPS_MAX = 2_000;
export const REFUSED_RETENTION_DAYS = 7;

/** Gateway to control plane: the groups since the last report. */
export const REFUSED_PATH = '/internal/refused';
export const RefusedReportSchema = Type.Object(
  { groups: Type.Array(RefusedGroupSchema, { maxItems: REFUSED_GROUPS_MAX }) },
  { additionalProperties: false },
);
