import { SettingsReplySchema } from '@verdict/contracts/dashboard/auth-api.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';

/** Nothing that a stranger could not find out by trying. */
export function settingsRoute(app: ControlPlaneApp, { config, mails }: Dependencies): void {
  app.get(
    '/auth/settings/',
    {
      config: { open: true },
      schema: {
        tags: ['auth'],
        summary: 'Whether registration is open, whether mail is sent, and who changes plans',
        description: 'Read it before you show a registration form. It needs no credential.',
        response: { 200: SettingsReplySchema, ...errorReplies() },
      },
    },
    async () => ({
      success: true as const,
      signup: config.SIGNUP,
      mail: mails.on,
      plan_changes: config.PLAN_CHANGES,
    }),
  );
}
