import { LIST_NAMES } from '@verdict/contracts/account-list.js';
import { IdParamsSchema } from '@verdict/contracts/dashboard/common.js';
import { AddEntryBodySchema, EntryReplySchema } from '@verdict/contracts/dashboard/lists-api.js';
import { parseListValue } from '@verdict/domain/list-value.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { planOf } from '../../http/plan-of.js';
import { readExpiry } from '../../http/read-expiry.js';

/** Each of these is answered only when every gateway already acts on it. */
export function changeListsRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { createId, projectListsOrPending, plans } = deps;

  for (const list of LIST_NAMES) {
    app.post(
      `/lists/${list}/`,
      {
        schema: {
          tags: ['lists'],
          summary: `Add an entry to the ${list} list`,
          description: 'The next check on every gateway sees it. A value is on one list only.',
          body: AddEntryBodySchema,
          response: { 201: EntryReplySchema, ...errorReplies(400, 401, 'change_pending') },
        },
      },
      async (request, reply) => {
        const { account } = request.caller;
        const { value, match, note = null } = request.body;
        const parsed = parseListValue(value, match);
        if (!parsed.ok) throw invalidField('value', parsed.message);
        const expires_at = readExpiry(request.body.expires_at, new Date(), 'to end an entry, remove it');
        const entry = { ...parsed.entry, expires_at };
        const id = createId('lst');
        const audit = auditOf(createId, request, {
          action: 'list.added',
          target: id,
          details: { list, ...entry },
        });
        const { listEntries: entriesMax } = await planOf(plans, account);
        const changed = await account.lists.add(list, [{ id, ...entry, note }], entriesMax, audit);
        await projectListsOrPending(account.id, 'added', changed);
        const [added] = changed.rows;
        if (!added) {
          const standing = (await account.lists.standing([entry.value])).find(
            (one) => one.match === entry.match,
          );
          throw invalidField(
            'value',
            standing
              ? `is on your ${standing.list} list already`
              : `your ${list} list is full (${entriesMax} entries on your plan)`,
          );
        }
        return reply.code(201).send({ success: true, entry: added });
      },
    );

    app.delete(
      `/lists/${list}/:id/`,
      {
        schema: {
          tags: ['lists'],
          summary: `Take an entry off the ${list} list`,
          description: 'The next check on every gateway sees it.',
          params: IdParamsSchema,
          response: { 200: EntryReplySchema, ...errorReplies(401, 404, 'change_pending') },
        },
      },
      async (request) => {
        const { account } = request.caller;
        const id = ownId('lst', request.params.id);
        const audit = auditOf(createId, request, { action: 'list.removed', target: id, details: { list } });
        const changed = await account.lists.remove(list, id, audit);
        await projectListsOrPending(account.id, 'removed', changed);
        const [entry] = changed.rows;
        if (!entry) throw nothingHere();
        return { success: true as const, entry };
      },
    );
  }
}
