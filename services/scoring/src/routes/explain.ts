import {
  EXPLAIN_PATH,
  type ExplainRequest,
  ExplainRequestSchema,
  ExplanationSchema,
} from '@verdict/contracts/scoring-api.js';
import type { FastifyInstance } from 'fastify';
import type { Dependencies } from '../dependencies.js';

export function explainRoute(app: FastifyInstance, { explainer }: Dependencies): void {
  app.post<{ Body: ExplainRequest }>(
    EXPLAIN_PATH,
    { schema: { body: ExplainRequestSchema, response: { 200: ExplanationSchema } } },
    (request) => explainer.explain(request.body),
  );
}
