import { ROLES } from '@verdict/domain/role.js';
import { type Static, Type } from 'typebox';

/**
 * Gateway to control plane, on its internal port. Redis is what the gateway normally asks; these are for what Redis
 * does not have: a key or an account that it lost, and the figures that only Postgres knows.
 */
export const INTERNAL_TOKEN_HEADER = 'x-internal-token';

export const identityPath = (keyHash: string): string => `/internal/keys/${keyHash}`;
export const projectPath = (accountId: string): string => `/internal/accounts/${accountId}/project`;
export const policyPath = (accountId: string, version: number | string): string =>
  `/internal/accounts/${accountId}/policies/${version}`;
export const hookPath = (hookId: string): string => `/internal/hooks/${hookId}`;
export const usagePath = (accountId: string, month: string): string =>
  `/internal/accounts/${accountId}/usage/${month}`;

export const sessionPath = (accountId: string, userId: string, sessionId: string): string =>
  `/internal/accounts/${accountId}/users/${userId}/sessions/${sessionId}`;

/** Releases of the lists, as files, for scoring replicas (DATASETS_URL). Public data, trusted by its signature. */
export const RELEASES_PATH = '/internal/releases';

/** 200 for a session that is live in the account; 404 for one that has ended or never was. */
export const SessionReplySchema = Type.Object(
  { live: Type.Literal(true), role: Type.Optional(Type.Enum(ROLES)) },
  { additionalProperties: false },
);
export type SessionReply = Static<typeof SessionReplySchema>;

/** 200 for a key that exists, whatever its status; 404 for one that never did. */
export const IdentityReplySchema = Type.Object(
  { account_id: Type.String(), key_id: Type.String() },
  { additionalProperties: false },
);
export type IdentityReply = Static<typeof IdentityReplySchema>;

/** 200 once the account is in Redis again; 404 for an account that does not exist. */
export const ProjectReplySchema = Type.Object({ projected: Type.Boolean() }, { additionalProperties: false });

/** 200 once the version is in Redis again; 404 for one that the account does not have. */
export const PolicyRulesReplySchema = Type.Object(
  { rules: Type.Array(Type.Unknown()) },
  { additionalProperties: false },
);
export type PolicyRulesReply = Static<typeof PolicyRulesReplySchema>;

/** 200 with the hook as Redis holds it, read from Postgres alone; 404 for one that does not exist. */
export const ProjectedHookReplySchema = Type.Object(
  { account_id: Type.String(), hook: Type.String() },
  { additionalProperties: false },
);
export type ProjectedHookReply = Static<typeof ProjectedHookReplySchema>;

const CountSchema = Type.Integer({ minimum: 0 });

export const UsageBreakdownSchema = Type.Object(
  {
    by_decision: Type.Object(
      { allow: CountSchema, challenge: CountSchema, review: CountSchema, block: CountSchema },
      { additionalProperties: false },
    ),
    by_day: Type.Array(
      Type.Object({ date: Type.String(), checks: CountSchema }, { additionalProperties: false }),
      { description: 'Days with checks, oldest first' },
    ),
  },
  { additionalProperties: false },
);
export type UsageBreakdown = Static<typeof UsageBreakdownSchema>;
