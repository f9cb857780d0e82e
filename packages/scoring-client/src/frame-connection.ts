import type { Duplex } from 'node:stream';
import type { Datasets } from '@verdict/contracts/datasets.js';
import {
  FRAME_BYTES_MAX,
  type FrameAnswer,
  FrameAnswerSchema,
  type FrameRequest,
  GOODBYE,
} from '@verdict/contracts/scoring-frames.js';
import { createFrameReader } from '@verdict/service-kit/frame-reader.js';
import { toFrame } from '@verdict/service-kit/to-frame.js';
import { Compile } from 'typebox/compile';
import type { Scored, ScoreEntry } from './scored.js';
import { SilentReplica } from './silent-replica.js';

export type FrameConnection = ReturnType<typeof createFrameConnection>;

/** Sent, and not answered as a whole. */
interface OpenBatch {
  readonly entries: readonly ScoreEntry[];
  left: number;
  /** Its first answer is here, and the next batch may go. */
  answered: boolean;
  /** It was sent elsewhere too, and this connection no longer decides that it failed. */
  isElsewhere: boolean;
  timer: NodeJS.Timeout;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const NUMBERS = 2 ** 32;
const frameAnswer = Compile(FrameAnswerSchema);

interface Leaving {
  /** Called once, when no further batch may be sent: the replica said goodbye, did not answer in time, or is gone. */
  readonly onLeaving: () => void;
  readonly onGoodbye: () => void;
}

/** One socket to a replica, with the verdicts that the replica told on it. */
export function createFrameConnection(socket: Duplex, deadlineMs: number, { onLeaving, onGoodbye }: Leaving) {
  const open = new Map<number, OpenBatch>();
  let known: Scored[] = [];
  let datasets: Datasets | undefined;
  let lastNumber = GOODBYE;
  let isLeaving = false;

  const readFrames = createFrameReader(FRAME_BYTES_MAX, (number, text) => {
    const answer: unknown = JSON.parse(text);
    if (!frameAnswer.Check(answer)) throw new Error('scoring answered with something that is not an answer');
    if (number !== GOODBYE) return read(number, answer);
    onGoodbye();
    leave();
  });
  socket.on('data', (chunk: Buffer) => {
    try {
      readFrames(chunk);
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
  let cause = new Error('scoring closed the connection');
  socket.on('error', (error) => {
    cause = error;
  });
  socket.on('close', () => {
    leave();
    for (const [number, batch] of open) fail(number, batch, cause);
  });

  function read(number: number, { reset, datasets: named, verdicts, checks, error }: FrameAnswer): void {
    if (reset) known = [];
    if (named) datasets = named;
    for (const verdict of verdicts ?? []) {
      if (!datasets) throw new Error('scoring told a verdict without its datasets');
      known.push({ verdict, datasets });
    }
    const batch = open.get(number);
    if (!batch) return; // after the deadline
    if (error !== undefined) {
      fail(number, batch, new Error(error));
      return;
    }
    if (checks) settle(batch, checks);
    if (batch.left > 0 && batch.answered) return;
    clearTimeout(batch.timer);
    // The client rejects open checks at the deadline, so no later frame is needed.
    if (batch.left > 0) batch.timer = setTimeout(close, deadlineMs, number).unref();
    else close(number);
    if (!batch.answered) batch.resolve();
    batch.answered = true;
  }

  function settle(batch: OpenBatch, checks: readonly number[]): void {
    for (let at = 0; at < checks.length; at += 2) {
      const entry = batch.entries[checks[at] as number];
      const scored = known[checks[at + 1] as number];
      if (!entry || !scored) throw new Error('scoring named an unknown check or verdict');
      batch.left--;
      if (!entry.settled) entry.resolve(scored);
    }
  }

  function fail(number: number, batch: OpenBatch, error: Error): void {
    clearTimeout(batch.timer);
    batch.reject(error);
    // Once the promise is settled, what is still open of this batch must not wait for a deadline.
    if (batch.answered && !batch.isElsewhere)
      for (const entry of batch.entries) if (!entry.settled) entry.reject(error);
    close(number);
  }

  function close(number: number): void {
    open.delete(number);
    if (isLeaving && open.size === 0) socket.destroy();
  }

  /** No further batches; the connection ends when those that are open are answered. */
  function leave(): void {
    if (isLeaving) return;
    isLeaving = true;
    onLeaving();
    if (open.size === 0) socket.destroy();
  }

  return {
    leave,
    /** Resolves with the first answer, which holds everything ready; rejects when none came in time. */
    send(entries: readonly ScoreEntry[], firstByteMs: number, traces: string | undefined): Promise<void> {
      return new Promise<void>((resolve, reject) => {
        lastNumber = (lastNumber + 1) % NUMBERS || GOODBYE + 1;
        const number = lastNumber;
        const request: FrameRequest = {
          emails: entries.map(({ item }) => item.email),
          accounts: entries.map(({ item }) => item.accountId),
          ...(traces !== undefined && { traces }),
        };
        const batch: OpenBatch = {
          entries,
          left: entries.length,
          answered: false,
          isElsewhere: false,
          resolve,
          reject,
          timer: setTimeout(() => {
            leave(); // a replica that does not answer one batch gets no further ones on this connection
            batch.isElsewhere = true;
            reject(new SilentReplica());
            batch.timer = setTimeout(close, firstByteMs, number).unref(); // what comes in as long again still counts
          }, firstByteMs),
        };
        open.set(number, batch);
        socket.write(toFrame(number, JSON.stringify(request)));
      });
    },
  };
}
