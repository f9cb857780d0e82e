import { Type } from 'typebox';

/** Kinds of settings that every service has; each with its default and what an operator reads about it. */
export const Port = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: fallback, description });

/** How many, how long or how often: at least one. */
export const Count = (fallback: number, description: string, limits: { readonly maximum?: number } = {}) =>
  Type.Integer({ minimum: 1, ...limits, default: fallback, description });
