import { RefusedReplySchema } from '@verdict/contracts/dashboard/refused-api.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';

export function refusedRoute(app: ControlPlaneApp): void {
  app.get(
    '/dashboard/logs/refused/',
    {
      schema: {
        tags: ['logs'],
        summary: 'Requests that were refused, by key and code',
        description:
          'Counts of the last seven days with the newest samples. A sample names fields, never what was sent.',
        response: { 200: RefusedReplySchema, ...errorReplies(401) },
      },
    },
    async ({ caller }) => ({ success: true as const, refused: await caller.account.refused.list() }),
  );
}
