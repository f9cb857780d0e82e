import { type Static, Type } from 'typebox';
import { DatasetsSchema } from './datasets.js';

export const StatusResultSchema = Type.Object(
  { success: Type.Literal(true), status: Type.Literal('ok'), datasets: DatasetsSchema },
  { additionalProperties: false },
);
export type StatusResult = Static<typeof StatusResultSchema>;
