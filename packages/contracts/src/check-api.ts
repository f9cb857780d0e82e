import { TAG_PATTERN } from '@verdict/domain/check-tag.js';
import { type Static, Type } from 'typebox';
import { DatasetsSchema } from './datasets.js';
import { DecisionSchema } from './decision.js';
import { IpSignalSchema } from './ip-network.js';
import { expandedTexts } from './signal-flags.js';
import { ExtraSignalsSchema, MailServersSchema, SignalsSchema } from './signals.js';
import { FactorSchema } from './verdict.js';

export const CHECK_BODY_BYTES_MAX = 16 * 1024;

export const CheckBodySchema = Type.Object(
  {
    email: Type.String({ description: 'Address to validate' }),
    ip: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Client IP address; stored and echoed with the result',
      }),
    ),
    tag: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: `Your label for the check, such as a form or a campaign, never a person; \`${TAG_PATTERN}\`. Logs and usage show it`,
      }),
    ),
    api_key_id: Type.Optional(
      Type.String({
        description: 'Required with JWT authentication; must match X-API-Key when both are sent',
      }),
    ),
  },
  { additionalProperties: false },
);
export type CheckBody = Static<typeof CheckBodySchema>;

export const TryBodySchema = Type.Object(
  { email: Type.String({ description: 'Address to validate' }) },
  { additionalProperties: false },
);

/** Optional parts of the answer, as a comma-separated list. */
export const EXPANSIONS = ['signals', 'breakdown'] as const;
export type Expansion = (typeof EXPANSIONS)[number];

export const CheckQuerySchema = Type.Object(
  {
    expand: Type.Optional(
      Type.String({
        description: 'Additions to the answer: `signals`, `breakdown` or both, separated by a comma',
      }),
    ),
  },
  { additionalProperties: false },
);

const SeenCountSchema = Type.Union([Type.Integer({ minimum: 1, maximum: 16 }), Type.Null()]);

/** Counts of repetitions; 16 is the highest. */
const SeenCountsSchema = Type.Object(
  { mailbox: SeenCountSchema, domain: SeenCountSchema, shape: SeenCountSchema, ip: SeenCountSchema },
  {
    additionalProperties: false,
    description: expandedTexts.seen.description,
  },
);

/** The signals of the contract, followed by the ones that only `?expand=signals` shows. */
const ShownSignalsSchema = Type.Object(
  {
    ...SignalsSchema.properties,
    ...Type.Partial(Type.Omit(ExtraSignalsSchema, ['mail'])).properties,
    mailbox: Type.Optional(Type.String({ description: expandedTexts.mailbox.description })),
    seen: Type.Optional(SeenCountsSchema),
    mx: Type.Optional(MailServersSchema),
    ip: Type.Optional({ ...IpSignalSchema, description: expandedTexts.ip.description }),
  },
  { additionalProperties: false },
);

const BreakdownSchema = Type.Object(
  { factors: Type.Array(FactorSchema), datasets: DatasetsSchema },
  { additionalProperties: false, description: 'The points of the factors add up exactly to risk_score' },
);

export const CheckResultSchema = Type.Object(
  {
    success: Type.Literal(true),
    id: Type.String({ description: 'Log id of the check; begins with log_' }),
    email: Type.String({ description: 'The address that was checked, trimmed' }),
    ip: Type.Union([Type.String(), Type.Null()]),
    decision: DecisionSchema,
    risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
    signals: ShownSignalsSchema,
    reasons: Type.Array(Type.String()),
    created_at: Type.String({ description: 'ISO 8601 with microseconds and a UTC offset' }),
    breakdown: Type.Optional(BreakdownSchema),
  },
  { additionalProperties: false },
);
export type CheckResult = Static<typeof CheckResultSchema>;
