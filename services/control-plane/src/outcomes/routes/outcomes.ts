import { OUTCOME_ROUTES } from '@verdict/contracts/routes/outcome-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { bySource } from '../by-source.js';
import { readItems } from '../read-items.js';
import { toPrecision } from '../to-precision.js';
import { unlisted } from '../unlisted.js';

export function outcomeRoutes(app: ControlPlaneApp, { config, scoring, search }: Dependencies): void {
  // A check of another account is stored nowhere in this one: its label is taken like one that is early, and finds nothing.
  attach(app, OUTCOME_ROUTES.record, async ({ keyCaller: { account, userId, keyId }, body: { items } }) => {
    const { said, errors } = readItems(items, config.EMAIL_HASH_SECRET);
    const recorded = said.length === 0 ? 0 : await account.outcomes.record(said, userId ?? keyId ?? '');
    return {
      success: true,
      recorded,
      unchanged: items.length - errors.length - recorded,
      errors: [...errors],
    };
  });

  attach(app, OUTCOME_ROUTES.proposals, async ({ caller: { account } }, reply) => {
    const signal = whileOpen(reply);
    const proposals = await search(account.id, ({ outcomes }) => outcomes.proposals(), { signal });
    return { success: true, proposals: await unlisted(account, proposals) };
  });

  attach(app, OUTCOME_ROUTES.precision, async ({ caller: { account }, query: { by } }, reply) => {
    const signal = whileOpen(reply);
    const counts = await search(account.id, ({ outcomes }) => outcomes.countBy(by), { signal });
    const groups =
      by === 'source'
        ? await bySource(scoring, counts).catch(() => {
            throw unavailable('the lists');
          })
        : counts;
    return {
      success: true,
      groups: groups.map(toPrecision).sort((a, b) => b.labelled - a.labelled || (a.name < b.name ? -1 : 1)),
    };
  });
}
