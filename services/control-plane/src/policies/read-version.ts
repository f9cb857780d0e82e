import { nothingHere } from '../http/own-id.js';

const VERSION = /^[1-9]\d{0,8}$/;

/** A version in a path. An impossible one answers like a missing one. */
export function readVersion(text: string): number {
  if (!VERSION.test(text)) throw nothingHere();
  return Number(text);
}
