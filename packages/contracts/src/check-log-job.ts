import { type Static, Type } from 'typebox';
import { DecisionSchema } from './decision.js';
import { idPattern } from './id-pattern.js';
import { StepNoteSchema } from './step-note.js';
import { VerdictSchema } from './verdict.js';

/**
 * The step to the worker, over BullMQ: one job carries every candidate of one batch, judged as it is without lists. The
 * note of the same batch (step-note.ts) says which of them were granted, when, and what lists made of them: a job without a
 * note means nothing. A job that is queued again, after an operator's look at it, brings its note along.
 */
export const CHECK_LOG_VERSION = 4;
/** Jobs of the release before may still wait when workers are replaced. */
export const WAITING_VERSION = 3;
export const CHECK_LOG_JOB = 'check-logs';

/** A verdict and the decision it came to where the check was answered: whoever reads it applies no bands of its own. */
const DecidedVerdictSchema = Type.Object(
  { ...VerdictSchema.properties, decision: DecisionSchema },
  { additionalProperties: false },
);
export type DecidedVerdict = Static<typeof DecidedVerdictSchema>;

const LoggedCheckSchema = Type.Object(
  {
    id: Type.String({ pattern: `^${idPattern('log')}$` }),
    email: Type.String({ description: 'As sent, trimmed' }),
    canonical: Type.String({ description: 'One spelling per mailbox, its domain in A-labels' }),
    ip: Type.Union([Type.String(), Type.Null()]),
    verdict: Type.Integer({ minimum: 0, description: 'Position in verdicts' }),
    network: Type.Optional(
      Type.String({ description: 'Network of the IP, as networkText writes it; left out: not looked up' }),
    ),
    tag: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type LoggedCheck = Static<typeof LoggedCheckSchema>;

/** The checks of one request. They are granted together or not at all. */
const LoggedGroupSchema = Type.Object(
  {
    account_id: Type.String(),
    key_id: Type.String(),
    request_id: Type.String(),
    checks: Type.Array(LoggedCheckSchema),
  },
  { additionalProperties: false },
);
export type LoggedGroup = Static<typeof LoggedGroupSchema>;

export const CheckLogJobSchema = Type.Object(
  {
    v: Type.Literal(CHECK_LOG_VERSION),
    verdicts: Type.Array(DecidedVerdictSchema),
    groups: Type.Array(LoggedGroupSchema, { description: 'In the order of the note' }),
    engine: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: "The rules' engine that judged its checks; left out: the first",
      }),
    ),
    note: Type.Optional(StepNoteSchema),
  },
  { additionalProperties: false },
);
export type CheckLogJob = Static<typeof CheckLogJobSchema>;

export const WaitingJobSchema = Type.Object(
  {
    ...CheckLogJobSchema.properties,
    v: Type.Literal(WAITING_VERSION),
    verdicts: Type.Array(VerdictSchema),
    note: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);
