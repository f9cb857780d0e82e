import { createHash } from 'node:crypto';
import { rebuildUsage } from '@verdict/db/billing/billing-months.js';
import { setBillingProfile } from '@verdict/db/billing/billing-profiles.js';
import { setLegalEntity } from '@verdict/db/billing/legal-entities.js';
import { addAdjustment } from '@verdict/db/billing/manual-adjustments.js';
import { applyDuePlanChanges, changePlan } from '@verdict/db/billing/plan-changes.js';
import { ensurePartitions } from '@verdict/db/checks/partitions.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import type { Database } from '@verdict/db/database/client.js';
import { monthBounds } from '@verdict/domain/month.js';
import { plansNoSmallerThan } from '@verdict/domain/plans.js';
import { REHEARSAL_ACCOUNTS, type RehearsalAccount } from './rehearsal-accounts.js';
import { REHEARSAL_PLANS } from './rehearsal-plans.js';

const DAY_MS = 86_400_000;

/** Same names, same ids: two rehearsals of the same months end in the same invoices. */
const idOf = (prefix: string, name: string): string =>
  `${prefix}_${createHash('sha256').update(name).digest('hex').slice(0, 26).toUpperCase()}`;
export const accountIdOf = ({ name }: RehearsalAccount): string => idOf('acc', name);
const keyIdOf = ({ name }: RehearsalAccount, part: string): string => idOf('key', `${name} ${part}`);

const audit = (id: string, action: string) => ({
  id: idOf('aud', id),
  userId: null,
  ip: null,
  requestId: null,
  action,
  details: { by: 'rehearsal' },
});

/** The legal entity, the accounts with two keys each, and whom they are billed to; all of before the first month. */
export async function seedAccounts(db: Database, firstMonth: string): Promise<void> {
  const seller = {
    name: 'Verdict GmbH',
    address: 'Lindenstraße 12\n10969 Berlin\nGermany',
    taxId: 'DE 812 345 678',
    contact: 'billing@verdict.example',
    payment:
      'Please transfer the amount to IBAN DE02 1203 0000 0000 2020 51 by the due date\nand give the number of this invoice.',
    numberPrefix: 'VRD-',
  };
  await setLegalEntity(db, 'verdict', seller, audit('verdict', 'entity.set'));
  const createdAt = new Date(monthBounds(firstMonth).start.getTime() - 40 * DAY_MS);
  for (const account of REHEARSAL_ACCOUNTS) {
    const id = accountIdOf(account);
    await db.account.create({ data: { id, name: account.name, plan: account.plan, createdAt } });
    for (const part of ['web', 'mobile']) {
      await db.apiKey.create({
        data: {
          id: keyIdOf(account, part),
          accountId: id,
          name: part === 'web' ? 'Web registration' : 'Mobile app',
          costCentre: part === 'web' ? 'CC-100' : null,
          prefix: 'vrd_live_',
          lastFour: part.slice(-4),
          secretHash: createHash('sha256').update(`${id} ${part}`).digest('hex'),
          createdAt,
        },
      });
    }
    const profile = {
      name: account.name,
      ...(account.address && { address: account.address }),
      ...(account.taxId && { tax_id: account.taxId }),
      ...(account.taxRate && { tax_rate: account.taxRate }),
      ...(account.taxNote && { tax_note: account.taxNote }),
      external_ref: `cus_${id.slice(4, 18)}`,
    };
    await setBillingProfile(db, id, profile, audit(`${id} profile`, 'billing.profile_set'));
  }
}

/** One month as it went: plans that were chosen, checks that were made, corrections that were entered. */
export async function seedMonth(db: Database, month: string, index: 0 | 1 | 2): Promise<void> {
  const { start, end } = monthBounds(month);
  await ensurePartitions(db, [month]);
  await applyDuePlanChanges(db, start);
  const changes = REHEARSAL_ACCOUNTS.flatMap((account) =>
    (account.changes ?? [])
      .filter((change) => change.month === index)
      .map(({ day, plan }) => ({
        id: accountIdOf(account),
        plan,
        at: new Date(day === 'last' ? end.getTime() - DAY_MS / 2 : start.getTime() + (day - 0.5) * DAY_MS),
      })),
  ).sort((a, b) => a.at.getTime() - b.at.getTime());
  for (const { id, plan, at } of changes) {
    const wish = {
      plan,
      downFrom: plansNoSmallerThan(REHEARSAL_PLANS, plan),
      madeBy: 'operator:rehearsal',
      at,
    };
    await changePlan(db, id, wish, audit(`${id} ${at.toISOString()}`, 'subscription.changed'));
  }
  for (const account of REHEARSAL_ACCOUNTS) {
    await seedChecks(db, account, month, index);
    const { adjustment } = account;
    if (adjustment?.month !== index) continue;
    const { kind, checks = 0, amount = 0, reason } = adjustment;
    await addAdjustment(
      db,
      { accountId: accountIdOf(account), kind, checks, amount, reason, author: 'operator:rehearsal' },
      audit(`${accountIdOf(account)} ${month} adjusted`, 'billing.adjusted'),
    );
  }
  await rebuildUsage(db, month);
}

/** Checks that are persisted after their month was closed: they become adjustments, as in earnest. */
export async function seedLateChecks(db: Database, month: string, index: 0 | 1 | 2): Promise<void> {
  for (const account of REHEARSAL_ACCOUNTS) {
    if (account.late?.month !== index) continue;
    const rows = Array.from({ length: account.late.checks }, (_, i) => ({
      id: idOf('log', `${account.name} ${month} late ${i}`),
      account_id: accountIdOf(account),
      key_id: keyIdOf(account, 'web'),
      verdict: {
        decision: 'allow',
        risk_score: 1,
        verdict_score: 1,
        signals: {},
        factors: [],
        datasets: 'rehearsal',
        reasons: [],
      },
      request_id: 'req_rehearsal',
      created_at: `${month}-28T23:00:00.${String(i).padStart(6, '0')}+00:00`,
      email: null,
      domain: 'example.com',
      email_hash: 'rehearsal',
      mailbox_hash: null,
      ip: null,
    }));
    await persistChecks(db, rows);
  }
}

/** Working days are busier, each month a tenth more; no randomness, so that a rehearsal can be repeated. */
async function seedChecks(
  db: Database,
  account: RehearsalAccount,
  month: string,
  index: number,
): Promise<void> {
  const perDay = Math.round(account.checksPerDay * 1.1 ** index);
  await db.$executeRaw`
    INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at)
    SELECT 'log_' || upper(left(encode(sha256(convert_to(${account.name} || d.day || n, 'UTF8')), 'hex'), 26)),
      ${accountIdOf(account)}, CASE WHEN n % 3 = 0 THEN ${keyIdOf(account, 'mobile')} ELSE ${keyIdOf(account, 'web')} END,
      (ARRAY['allow', 'allow', 'allow', 'allow', 'allow', 'allow', 'challenge', 'review', 'allow', 'block'])[n % 10 + 1], 10,
      '{}', '[]', 'rehearsal', 'req_rehearsal', d.day + make_interval(secs => (n * 86399 / d.checks))
    FROM (
      SELECT day AT TIME ZONE 'UTC' AS day,
        CASE WHEN extract(isodow FROM day) > 5 THEN greatest(${perDay}::int / 2, 1) ELSE ${perDay}::int END AS checks
      FROM generate_series((${month} || '-01')::timestamp, (${month} || '-01')::timestamp + interval '1 month' - interval '1 day',
        interval '1 day') AS day
    ) d, generate_series(0, d.checks - 1) AS n`;
}
