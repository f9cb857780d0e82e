import { BILLING_ROUTES } from '@verdict/contracts/routes/billing-routes.js';
import type { ControlPlaneApp } from '../http/control-plane-app.js';

/** Opens the page for a browser that follows an `upgrade_url`. The address answers programs, and a person would see JSON. */
export function openBillingPage(app: ControlPlaneApp): void {
  app.addHook('onRequest', async ({ headers, routeOptions }, reply) => {
    if (routeOptions.config.route !== BILLING_ROUTES.subscription || headers.authorization !== undefined)
      return;
    if (headers.accept?.includes('text/html')) return reply.redirect('/billing');
  });
}
