import type { IdPrefix } from '@verdict/domain/id.js';
import { notFound } from '@verdict/service-kit/errors.js';

const SHAPE = /^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}$/;

/** An id from a path. One that cannot exist sounds exactly like one that does not, or is somebody else's. */
export function ownId(prefix: IdPrefix, id: string): string {
  if (!SHAPE.test(id) || !id.startsWith(`${prefix}_`)) throw nothingHere();
  return id;
}

export const nothingHere = () => notFound('There is nothing with this id in your account.');
