import { type Static, Type } from 'typebox';

/** The two lists that an account has, and what an entry of them may be. */
export const ListNameSchema = Type.Union([Type.Literal('allow'), Type.Literal('block')]);
export type ListName = Static<typeof ListNameSchema>;
export const LIST_NAMES = ['allow', 'block'] as const satisfies readonly ListName[];

export const ListKindSchema = Type.Union([
  Type.Literal('address'),
  Type.Literal('domain'),
  Type.Literal('ip'),
  Type.Literal('network'),
]);

export const ListMatchingSchema = Type.Union([Type.Literal('exact'), Type.Literal('mailbox')]);
export type ListMatching = Static<typeof ListMatchingSchema>;
