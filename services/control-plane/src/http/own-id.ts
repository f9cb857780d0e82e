import { idPattern } from '@verdict/contracts/id-pattern.js';
import type { IdPrefix } from '@verdict/domain/id.js';
import { notFound } from '@verdict/service-kit/errors.js';

const SHAPE = new RegExp(`^${idPattern()}$`);

/** An id from a path. An impossible id answers exactly like a missing or foreign one. */
export function ownId(prefix: IdPrefix, id: string): string {
  if (!SHAPE.test(id) || !id.startsWith(`${prefix}_`)) throw nothingHere();
  return id;
}

export const nothingHere = () => notFound('There is nothing with this id in your account.');
