import { IdParamsSchema } from '@verdict/contracts/dashboard/common.js';
import { KeyReplySchema, KeysQuerySchema, KeysReplySchema } from '@verdict/contracts/dashboard/keys-api.js';
import { KEYS_PER_ACCOUNT_MAX } from '@verdict/db/keys/api-keys.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { nothingHere, ownId } from '../../http/own-id.js';

export function listKeysRoutes(app: ControlPlaneApp): void {
  app.get(
    '/dashboard/keys/',
    {
      schema: {
        tags: ['keys'],
        summary: 'The API keys of the account',
        description: 'Values are never shown again, only their beginning and end.',
        querystring: KeysQuerySchema,
        response: { 200: KeysReplySchema, ...errorReplies(400, 401) },
      },
    },
    async (request) => ({
      success: true as const,
      keys: await request.caller.account.keys.list(request.query.status === 'all'),
      keys_max: KEYS_PER_ACCOUNT_MAX,
    }),
  );

  app.get(
    '/dashboard/keys/:id/',
    {
      schema: {
        tags: ['keys'],
        summary: 'One API key',
        description: 'With its terms and last use, without its value.',
        params: IdParamsSchema,
        response: { 200: KeyReplySchema, ...errorReplies(401, 404) },
      },
    },
    async (request) => {
      const key = await request.caller.account.keys.find(ownId('key', request.params.id));
      if (!key) throw nothingHere();
      return { success: true as const, key };
    },
  );
}
