import { LIST_KINDS, LIST_MATCHINGS, LIST_NAMES } from '@verdict/domain/account-list.js';
import { Type } from 'typebox';

export const ListNameSchema = Type.Enum(LIST_NAMES);
export const ListKindSchema = Type.Enum(LIST_KINDS);
export const ListMatchingSchema = Type.Enum(LIST_MATCHINGS);
