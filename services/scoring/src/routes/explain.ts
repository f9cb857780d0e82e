import {
  EXPLAIN_PATH,
  type ExplainRequest,
  ExplainRequestSchema,
  type Explanation,
  OWNER_HEADER,
} from '@verdict/contracts/scoring-api.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { FastifyInstance } from 'fastify';
import type { Dependencies } from '../dependencies.js';

/** Operators have a budget of look-ups apart from every account's. */
const OPERATOR = 'operator';

export function explainRoute(app: FastifyInstance, { explainer }: Dependencies): void {
  app.post<{ Body: ExplainRequest }>(
    EXPLAIN_PATH,
    { schema: { body: ExplainRequestSchema } },
    // No schema for the answer: every start would compile a serialiser that operators use now and then.
    ({ body, headers }, reply): Promise<Explanation> =>
      explainer.explain(body, { owner: String(headers[OWNER_HEADER] ?? OPERATOR), signal: whileOpen(reply) }),
  );
}
