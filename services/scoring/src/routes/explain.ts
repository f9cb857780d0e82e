import {
  EXPLAIN_PATH,
  type ExplainRequest,
  ExplainRequestSchema,
  type Explanation,
} from '@verdict/contracts/scoring-api.js';
import type { FastifyInstance } from 'fastify';
import type { Dependencies } from '../dependencies.js';

export function explainRoute(app: FastifyInstance, { explainer }: Dependencies): void {
  app.post<{ Body: ExplainRequest }>(
    EXPLAIN_PATH,
    { schema: { body: ExplainRequestSchema } },
    // No schema for the answer: every start would compile a serialiser that operators use now and then.
    (request): Promise<Explanation> => explainer.explain(request.body),
  );
}
