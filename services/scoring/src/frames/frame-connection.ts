import type { Duplex } from 'node:stream';
import {
  FRAME_BYTES_MAX,
  type FrameRequest,
  FrameRequestSchema,
  GOODBYE,
} from '@verdict/contracts/scoring-frames.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { createFrameReader } from '@verdict/service-kit/frame-reader.js';
import { toFrame } from '@verdict/service-kit/to-frame.js';
import { Compile } from 'typebox/compile';
import type { Dependencies } from '../dependencies.js';
import { type SlowVerdict, scoreBatch } from '../score/score-batch.js';
import { startScoreSteps } from '../tracing/score-steps.js';
import { createToldVerdicts } from './told-verdicts.js';

export type FrameConnection = ReturnType<typeof createFrameConnection>;

/**
 * Batches of a connection that wait for look-ups; above it nothing is read until one of them is answered. More than a gateway sends
 * within the deadline of a look-up, or checks of a domain that hangs would delay everybody else's.
 */
const WAITING_BATCHES_MAX = 4_096;
/** Gateways close the connection as soon as they read the goodbye; this is for one that is gone. */
const LEAVE_GRACE_MS = 1_000;
const frameRequest = Compile(FrameRequestSchema);

/** Answers the batches of one gateway. */
export function createFrameConnection(
  socket: Duplex,
  { scorer, metrics, tracing, log }: Pick<Dependencies, 'scorer' | 'metrics' | 'tracing' | 'log'>,
) {
  const write = createToldVerdicts();
  const waiting = new Set<{ readonly steps: ReturnType<typeof startScoreSteps> }>();
  let graceIsOver = false;
  let isBlocked = false;

  const read = createFrameReader(FRAME_BYTES_MAX, (number, text) => {
    const request: unknown = JSON.parse(text);
    if (!frameRequest.Check(request)) throw new Error('a gateway sent something that is not a batch');
    answer(number, request);
  });
  socket.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch (error) {
      log.error({ err: error }, 'a batch could not be answered, its connection was cut');
      socket.destroy();
    }
    pace();
  });
  socket.on('drain', () => {
    isBlocked = false;
    pace();
  });
  // A gateway ends a connection on which it waits for nothing.
  socket.on('end', () => socket.destroy());
  socket.on('error', () => undefined); // 'close' follows
  socket.on('close', () => {
    for (const { steps } of waiting) for (const step of steps) step.fail('the gateway hung up');
  });

  function answer(number: number, { emails, accounts, traces }: FrameRequest): void {
    const steps = tracing ? startScoreSteps(tracing, traces) : [];
    const current = scorer();
    const { versions } = current.datasets;
    let slow: readonly SlowVerdict[] = [];
    try {
      send(
        number,
        write(versions, emails.length, (add) => {
          slow = scoreBatch(current, emails, accounts, add);
        }),
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      for (const step of steps) step.fail(error);
      send(number, JSON.stringify({ error: error.publicMessage }));
      return;
    }
    metrics.noteBatch(emails.length);
    if (slow.length === 0) for (const step of steps) step.end();
    else void answerLate(number, slow, versions, steps);
  }

  /** Tells each verdict when its look-up ends. The look-ups continue without their gateway and fill the cache. */
  async function answerLate(
    number: number,
    slow: readonly SlowVerdict[],
    versions: Parameters<typeof write>[0],
    steps: ReturnType<typeof startScoreSteps>,
  ): Promise<void> {
    const batch = { steps };
    waiting.add(batch);
    try {
      await Promise.all(
        slow.map(async ({ index, verdict }) => {
          const late = await verdict;
          if (!socket.destroyed)
            send(
              number,
              write(versions, 1, (add) => add(index, late)),
            );
        }),
      );
      for (const step of steps) step.end();
    } catch (error) {
      log.error({ err: error }, 'a verdict failed, its connection was cut');
      socket.destroy();
    }
    waiting.delete(batch);
    pace();
    if (graceIsOver && waiting.size === 0) socket.destroy();
  }

  function send(number: number, text: string): void {
    if (!socket.write(toFrame(number, text))) isBlocked = true;
  }

  /** Reads on only while the gateway reads its answers and not too many of them are owed. */
  function pace(): void {
    const mayRead = !isBlocked && waiting.size < WAITING_BATCHES_MAX;
    if (mayRead && socket.isPaused()) socket.resume();
    else if (!mayRead && !socket.isPaused()) socket.pause();
  }

  return {
    /** Asks the gateway to leave, and answers what it still sends until it does or its grace is over. */
    leave() {
      socket.write(toFrame(GOODBYE, '{}'));
      setTimeout(() => {
        graceIsOver = true;
        if (waiting.size === 0) socket.destroy();
      }, LEAVE_GRACE_MS).unref();
    },
  };
}
