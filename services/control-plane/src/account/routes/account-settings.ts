import {
  AccountSettingsBodySchema,
  AccountSettingsReplySchema,
} from '@verdict/contracts/dashboard/settings-api.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';

const PATH = '/dashboard/settings/';

export function accountSettingsRoutes(
  app: ControlPlaneApp,
  { createId, projectOrPending }: Dependencies,
): void {
  app.get(
    PATH,
    {
      schema: {
        tags: ['auth'],
        summary: 'Settings of the account',
        description: 'They decide how its checks are scored.',
        response: { 200: AccountSettingsReplySchema, ...errorReplies(401) },
      },
    },
    async ({ caller }) => ({ success: true as const, ...(await caller.account.settings.read()) }),
  );

  app.patch(
    PATH,
    {
      schema: {
        tags: ['auth'],
        summary: 'Change settings of the account',
        description: 'In effect with the next check. Leave out what stays.',
        body: AccountSettingsBodySchema,
        response: { 200: AccountSettingsReplySchema, ...errorReplies(400, 401, 'change_pending') },
      },
    },
    async (request) => {
      const { account } = request.caller;
      const audit = auditOf(createId, request, {
        action: 'account.settings_changed',
        target: account.id,
        details: request.body,
      });
      await account.settings.change(request.body, audit);
      await projectOrPending(account.id);
      return { success: true as const, ...(await account.settings.read()) };
    },
  );
}
