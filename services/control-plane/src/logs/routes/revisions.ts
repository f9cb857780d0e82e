import { LOG_ROUTES } from '@verdict/contracts/routes/log-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { pageOf } from '../../http/page-of.js';

export function revisionsRoute(app: ControlPlaneApp, { cursors }: Pick<Dependencies, 'cursors'>): void {
  attach(app, LOG_ROUTES.revisions, async ({ caller: { account }, query }) => {
    const [{ rows, ...paging }, recent] = await Promise.all([
      pageOf({ cursors, listing: 'revisions', accountId: account.id, query }, (before, countMax) =>
        account.revisions.page(before, countMax),
      ),
      account.revisions.countRecent(),
    ]);
    return { success: true, revisions: rows, recent, ...paging };
  });
}
