import { BATCH_ITEMS_MAX } from '@verdict/contracts/check-batch-api.js';
import { OUTCOME_ROUTES } from '@verdict/contracts/routes/outcome-routes.js';
import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { OUTCOMES_MAX } from '@verdict/domain/outcomes.js';
import { takeAttempt } from '@verdict/redis-store/login-attempts.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField, tooManyOutcomes, unavailable } from '@verdict/service-kit/errors.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { planOf } from '../../http/plan-of.js';
import { bySource } from '../by-source.js';
import { readItems } from '../read-items.js';
import { toPrecision } from '../to-precision.js';
import { unlisted } from '../unlisted.js';

const DAY_MS = 86_400_000;
/** Groups of one answer. */
const GROUPS_MAX = 100;

export function outcomeRoutes(
  app: ControlPlaneApp,
  { config, scoring, search, plans, redis }: Dependencies,
): void {
  /** As many in a day as the plan has checks in a month: each is a row that is kept. */
  const limitOutcomes = async (account: AccountScope, items: number): Promise<void> => {
    const perDay = Math.max(OUTCOMES_MAX, (await planOf(plans, account)).checksPerMonth);
    // Outcomes need no Redis, so its absence must not refuse them.
    const waitMs = await takeAttempt(redis, `outcomes:${account.id}`, perDay, DAY_MS, items).catch(() => 0);
    if (waitMs > 0) throw tooManyOutcomes(perDay, Math.ceil(waitMs / 1_000));
  };

  // A check of another account is stored nowhere in this one: its label is taken like one that is early, and finds nothing.
  attach(app, OUTCOME_ROUTES.record, async ({ keyCaller: { account, userId, keyId }, body: { items } }) => {
    await limitOutcomes(account, items.length);
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
    const wait = { signal: whileOpen(reply) };
    const proposed = await search(account.id, ({ outcomes }) => outcomes.proposals(), wait);
    return { success: true, proposals: await unlisted(account, proposed) };
  });

  attach(app, OUTCOME_ROUTES.dismissProposal, async ({ caller: { account, userId }, body }) => {
    const { kind, value, abuse } = body;
    const subject = kind === 'mailbox' ? hashOfMailbox(value, config.EMAIL_HASH_SECRET) : value;
    await account.outcomes.dismiss({ kind, subject, abuse }, userId);
    return { success: true };
  });

  attach(app, OUTCOME_ROUTES.precision, async ({ caller: { account }, query: { by } }, reply) => {
    const countMax = by === 'source' ? BATCH_ITEMS_MAX : GROUPS_MAX;
    const counts = await search(account.id, ({ outcomes }) => outcomes.countBy(by, countMax), {
      signal: whileOpen(reply),
    });
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

/** A dismissal names no person. */
function hashOfMailbox(value: string, hashSecret: string): string {
  const parsed = parseEmail(value);
  if (!parsed.ok) throw invalidField('value', parsed.message);
  return hashEmail(hashSecret, mailboxOf(parsed.address, true));
}
