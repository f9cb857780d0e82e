import { OUTCOME_ROUTES } from '@verdict/contracts/routes/outcome-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import { conflict } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { pageOf } from '../../http/page-of.js';

const taken = () => conflict('review_taken', 'Someone else is reviewing this check.');

export function reviewRoutes(app: ControlPlaneApp, { cursors }: Pick<Dependencies, 'cursors'>): void {
  attach(app, OUTCOME_ROUTES.reviews, async ({ caller: { account, sessionId }, query }) => {
    const [{ rows, ...paging }, waiting] = await Promise.all([
      pageOf({ cursors, listing: 'reviews', accountId: account.id, query }, (after, countMax) =>
        account.reviews.page(sessionId, after, countMax),
      ),
      account.reviews.count(),
    ]);
    return { success: true, reviews: rows, waiting, ...paging };
  });

  attach(app, OUTCOME_ROUTES.claimReview, async ({ caller: { account, sessionId }, body }) => {
    const id = body.id === undefined ? undefined : ownId('log', body.id);
    const claimed = await (id === undefined
      ? account.reviews.claimNext(sessionId)
      : account.reviews.claim(sessionId, id));
    if (claimed) await account.reviews.release(sessionId, claimed.id);
    else if (id !== undefined) throw (await account.reviews.waits(id)) ? taken() : nothingHere();
    return { success: true, id: claimed?.id ?? null };
  });

  attach(
    app,
    OUTCOME_ROUTES.decideReview,
    async ({ caller: { account, sessionId, userId }, params, body }) => {
      const subject = ownId('log', params.id);
      const { outcome, note = null } = body;
      const recorded = await account.outcomes.recordReviewed(sessionId, { subject, outcome, note }, userId);
      if (recorded === 0) throw (await account.reviews.waits(subject)) ? taken() : nothingHere();
      return { success: true };
    },
  );
}
