import { type Static, Type } from 'typebox';
import { DatasetsSchema } from './datasets.js';
import { SCORE_BATCH_MAX } from './scoring-api.js';
import { VerdictSchema } from './verdict.js';

/**
 * Gateway to scoring over one socket per replica, upgraded from HTTP on the same port. A frame is its length, the number
 * of its batch (both UInt32LE) and JSON; a replica or gateway that does not know it uses SCORE_PATH.
 */
export const FRAMES_PATH = '/internal/frames';
export const FRAMES_PROTOCOL = 'verdict-frames-1';
export const FRAME_BYTES_MAX = 4 * 1024 * 1024;
/** The number of no batch: scoring takes no new ones on this connection and answers those that it has. */
export const GOODBYE = 0;
/** Verdicts that both ends of a connection remember. Scoring resets the list before a batch that may exceed it. */
export const VERDICTS_TOLD_MAX = 4096;

export const FrameRequestSchema = Type.Object({
  emails: Type.Array(Type.String(), { minItems: 1, maxItems: SCORE_BATCH_MAX }),
  accounts: Type.Array(Type.String(), { description: 'Whose budget for never-seen domains each one uses' }),
  traces: Type.Optional(Type.String({ description: 'The traces that checks of the batch belong to' })),
});
export type FrameRequest = Static<typeof FrameRequestSchema>;

/** Several frames may answer a batch: one with everything ready, then one for each slow domain. */
export const FrameAnswerSchema = Type.Object({
  reset: Type.Optional(Type.Boolean({ description: 'Forget every verdict that this connection told' })),
  datasets: Type.Optional(DatasetsSchema),
  verdicts: Type.Optional(
    Type.Array(VerdictSchema, { description: 'Told for the first time, made with the latest datasets' }),
  ),
  checks: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0 }), {
      description: 'Pairs: the position in the batch, then the number of the verdict in order of telling',
    }),
  ),
  error: Type.Optional(Type.String({ description: 'Why the batch was refused as a whole' })),
});
export type FrameAnswer = Static<typeof FrameAnswerSchema>;
