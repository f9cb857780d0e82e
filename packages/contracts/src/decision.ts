import { type Static, Type } from 'typebox';

export const DecisionSchema = Type.Union(
  [Type.Literal('allow'), Type.Literal('challenge'), Type.Literal('review'), Type.Literal('block')],
  { description: 'allow: under 30; challenge: 30 to 54; review: 55 to 79; block: 80 and above' },
);
export type Decision = Static<typeof DecisionSchema>;
