import {
  SECOND_LOOK_PATH,
  type SecondLookReply,
  type SecondLookRequest,
  SecondLookRequestSchema,
} from '@verdict/contracts/scoring-api.js';
import type { FastifyInstance } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { lookAgain } from '../second-look/look-again.js';

export function secondLookRoute(app: FastifyInstance, { datasets }: Dependencies): void {
  app.post<{ Body: SecondLookRequest }>(
    SECOND_LOOK_PATH,
    { schema: { body: SecondLookRequestSchema } },
    async ({ body }): Promise<SecondLookReply> => {
      const snapshot = datasets.current();
      return {
        release: snapshot.release ?? null,
        checks: body.checks.map((check) => lookAgain(check, snapshot)),
      };
    },
  );
}
