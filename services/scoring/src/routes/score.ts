import type { ServerResponse } from 'node:http';
import { SCORE_PATH, type ScoreRequest, ScoreRequestSchema } from '@verdict/contracts/scoring-api.js';
import type { FastifyInstance } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { type BatchAnswer, scoreBatch } from '../score/score-batch.js';

const CONTENT_TYPE = 'application/x-ndjson; charset=utf-8';

export function scoreRoute(app: FastifyInstance, { scorer, metrics, log }: Dependencies): void {
  app.post<{ Body: ScoreRequest }>(SCORE_PATH, { schema: { body: ScoreRequestSchema } }, (request, reply) => {
    const { checks } = request.body;
    const answer = scoreBatch(scorer(), checks);
    metrics.checks.inc(checks.length);
    metrics.batches.observe(checks.length);
    // Written past Fastify: one write for what is ready, then one for each look-up as it ends.
    reply.hijack();
    send(reply.raw, answer).catch((error: unknown) => {
      log.error({ err: error }, 'a verdict failed, its stream was cut');
      reply.raw.destroy();
    });
  });
}

async function send(response: ServerResponse, { ready, slow }: BatchAnswer): Promise<void> {
  if (slow.length === 0) {
    response.writeHead(200, { 'content-type': CONTENT_TYPE, 'content-length': Buffer.byteLength(ready) });
    response.end(ready);
    return;
  }
  response.writeHead(200, { 'content-type': CONTENT_TYPE });
  response.write(ready);
  // A caller that has left needs no more lines; the look-ups continue and fill the cache.
  await Promise.all(slow.map((line) => line.then((text) => response.destroyed || response.write(text))));
  response.end();
}
