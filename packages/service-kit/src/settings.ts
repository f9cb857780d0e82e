import { Type } from 'typebox';

/** Kinds of settings that every service has; each with its default and what an operator reads about it. */
export const Port = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: fallback, description });

/** How many, how long or how often: at least one; `minimum: 0` where none is an answer too. */
export const Count = (
  fallback: number,
  description: string,
  limits: { readonly minimum?: number; readonly maximum?: number } = {},
) => Type.Integer({ minimum: 1, ...limits, default: fallback, description });

/** For a listener behind a balancer. */
export const DRAIN_SETTING = {
  DRAIN_DELAY_MS: Count(0, 'How long to keep answering after /readyz is false', { minimum: 0 }),
};

/** For a service that needs Redis or Postgres to start. */
export const PATIENCE_SETTING = {
  START_PATIENCE_SECONDS: Count(0, 'Seconds to wait at start for Redis or Postgres; 0: exit with 1', {
    minimum: 0,
  }),
};

/** Of workers, which write it, and control planes, which read it. */
export const FACTS_SETTING = {
  FACTS_DIR: Type.Optional(
    Type.String({
      description:
        'Folder of archived checks, shared by workers and control planes; unset: checks stay in Postgres',
    }),
  ),
};

/** For those who count repetitions and those who say what a check would meet: they must agree. */
export const BURSTS_SETTING = {
  BURSTS: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description: 'off: count no repeated sign-ups, whatever accounts choose',
  }),
};

/** The values of a setting that are separated by commas. */
export const valuesOf = (text: string): string[] =>
  text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');

export const DNS_SETTING = {
  DNS_SERVERS: Type.String({
    default: '',
    description: 'host:port, separated by commas; empty for the system’s',
  }),
};
