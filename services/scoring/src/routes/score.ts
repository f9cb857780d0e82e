import type { ServerResponse } from 'node:http';
import {
  SCORE_PATH,
  SCORING_VERSION,
  type ScoreRequest,
  ScoreRequestSchema,
} from '@verdict/contracts/scoring-api.js';
import type { FastifyInstance } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { type SlowVerdict, scoreBatch } from '../score/score-batch.js';
import { createLineWriter } from '../score/write-line.js';

const CONTENT_TYPE = 'application/x-ndjson; charset=utf-8';

type WriteLine = ReturnType<typeof createLineWriter>;

/** Batches by plain HTTP, for callers that have no connection for frames. */
export function scoreRoute(app: FastifyInstance, { scorer, metrics, log }: Dependencies): void {
  app.post<{ Body: ScoreRequest }>(SCORE_PATH, { schema: { body: ScoreRequestSchema } }, (request, reply) => {
    const { checks } = request.body;
    const current = scorer();
    const writeLine = createLineWriter(SCORING_VERSION, current.datasets.versions);
    const emails = checks.map(({ email }) => email);
    const accountIds = checks.map(({ account_id }) => account_id);
    let slow: readonly SlowVerdict[] = [];
    const ready = writeLine((add) => {
      slow = scoreBatch(current, emails, accountIds, add);
    });
    metrics.noteBatch(checks.length);
    // Written past Fastify: one write for what is ready, then one for each look-up as it ends.
    reply.hijack();
    send(reply.raw, ready, slow, writeLine).catch((error: unknown) => {
      log.error({ err: error }, 'a verdict failed, its stream was cut');
      reply.raw.destroy();
    });
  });
}

async function send(
  response: ServerResponse,
  ready: string,
  slow: readonly SlowVerdict[],
  writeLine: WriteLine,
): Promise<void> {
  if (slow.length === 0) {
    response.writeHead(200, { 'content-type': CONTENT_TYPE, 'content-length': Buffer.byteLength(ready) });
    response.end(ready);
    return;
  }
  response.writeHead(200, { 'content-type': CONTENT_TYPE });
  response.write(ready);
  // A caller that has left needs no more lines; the look-ups continue and fill the cache.
  await Promise.all(
    slow.map(async ({ index, verdict }) => {
      const late = await verdict;
      if (!response.destroyed) response.write(writeLine((add) => add(index, late)));
    }),
  );
  response.end();
}
