import { LIST_ROUTES } from '@verdict/contracts/routes/list-routes.js';
import { LIST_NAMES } from '@verdict/domain/account-list.js';
import { takesLength } from '@verdict/domain/prefix-lengths.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { planOf } from '../../http/plan-of.js';
import { readExpiry } from '../../http/read-expiry.js';
import { listFull } from '../list-full.js';
import { readEntry } from '../read-entry.js';
import { TOO_MANY_LENGTHS } from '../too-many-lengths.js';
import { tooWide } from '../too-wide.js';

/** Each of these is answered only when every gateway already acts on it. */
export function changeListsRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { createId, projectListsOrPending, plans } = deps;

  for (const list of LIST_NAMES) {
    attach(app, LIST_ROUTES[list].add, async (request, reply) => {
      const { account } = request.keyCaller;
      const { note = null, force = false } = request.body;
      const parsed = readEntry(request.body);
      const width = tooWide(parsed.entry);
      if (width !== null && !force) throw invalidField(parsed.field, width);
      if (
        parsed.entry.kind === 'network' &&
        !takesLength(await account.lists.prefixLengths(), parsed.entry.value)
      )
        throw invalidField(parsed.field, TOO_MANY_LENGTHS);
      const expires_at = readExpiry(request.body.expires_at, new Date(), 'to end an entry, remove it');
      const entry = { ...parsed.entry, expires_at };
      const id = createId('lst');
      const audit = auditOf(createId, request, {
        action: 'list.added',
        target: id,
        details: { list, ...entry },
      });
      const plan = await planOf(plans, account);
      const changed = await account.lists.add(list, [{ id, ...entry, note }], plan.listEntries, audit);
      await projectListsOrPending(account.id, 'added', changed);
      const [added] = changed.rows;
      if (!added) {
        const standing = (await account.lists.standing([entry.value])).find(
          (one) => one.match === entry.match,
        );
        throw standing
          ? invalidField(parsed.field, `is on your ${standing.list} list already`)
          : listFull(plans, plan, { list, field: parsed.field, fault: 'does not fit' });
      }
      return reply.code(201).send({ success: true, entry: added });
    });

    attach(app, LIST_ROUTES[list].remove, async (request) => {
      const { account } = request.keyCaller;
      const id = ownId('lst', request.params.id);
      const audit = auditOf(createId, request, { action: 'list.removed', target: id, details: { list } });
      const changed = await account.lists.remove(list, id, audit);
      await projectListsOrPending(account.id, 'removed', changed);
      const [entry] = changed.rows;
      if (!entry) throw nothingHere();
      return { success: true, entry };
    });
  }
}
