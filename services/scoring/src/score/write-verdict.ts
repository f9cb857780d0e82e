import { ExtraSignalsSchema } from '@verdict/contracts/signals.js';
import { VerdictSchema } from '@verdict/contracts/verdict.js';
import fastJson from 'fast-json-stringify';
import { Type } from 'typebox';

/** A verdict as JSON. Readers may miss a flag, the writer never does; optional fields would also move to the end. */
export const writeVerdict = fastJson(
  Type.Object({ ...VerdictSchema.properties, extra: ExtraSignalsSchema }, { additionalProperties: false }),
);
