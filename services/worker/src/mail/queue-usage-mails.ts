import { usageToMail, writeUsageMail } from '@verdict/db/billing/usage-mails.js';
import type { Database } from '@verdict/db/database/client.js';
import { addMonths, type Month, monthBounds } from '@verdict/domain/month.js';
import { DEFAULT_PLAN, type Plan, type Plans, stopsAt } from '@verdict/domain/plans.js';
import { planIn } from '@verdict/domain/pricing/prices-in.js';
import type { Sealer } from '@verdict/domain/sealed-text.js';
import { formatCount, formatDay, formatMonth } from '@verdict/invoicing/in-words.js';
import type { Mail } from '@verdict/mail/mail.js';
import { sealMail } from './seal-mail.js';

/** Writes to accounts that reached a percentage they want to hear about, once each; returns how many. */
export async function queueUsageMails(
  db: Database,
  sealer: Sealer,
  plans: Plans,
  month: Month,
): Promise<number> {
  let queued = 0;
  for (const usage of await usageToMail(db, plans, month)) {
    const plan = planIn(plans.get(usage.plan) ?? (plans.get(DEFAULT_PLAN) as Plan), month);
    const mail: Mail = {
      kind: 'usage_reached',
      plan: usage.plan,
      month: formatMonth(month),
      percent: usage.percent,
      used: formatCount(usage.used),
      quota: formatCount(usage.quota),
      stop: formatCount(stopsAt(plan, usage.checks_cap)),
      resetsOn: formatDay(monthBounds(addMonths(month, 1)).start.toISOString().slice(0, 10)),
    };
    if (await writeUsageMail(db, usage, month, sealMail(sealer, usage.to, mail))) queued++;
  }
  return queued;
}
