import type { LookUp } from '@verdict/admission/look-up-networks.js';
import type { Database } from '@verdict/db/database/client.js';
import { storeOrigins, unknownNetworks } from '@verdict/db/groups/network-origins.js';
import { regroupHour } from '@verdict/db/groups/regroup-hour.js';
import { type AccountHour, ungroupedHours } from '@verdict/db/groups/ungrouped-hours.js';

/** Hours of one read, and how many checks are grouped by one statement. */
const HOURS_MAX = 500;
const CHECKS_MAX = 100_000;
/** IPs of one question to scoring. */
const ASKED_MAX = 1_000;

interface Dependencies {
  readonly db: Database;
  readonly lookUp: LookUp | null;
}

interface GroupingTurn {
  readonly days: number;
  readonly turnMs?: number;
  /** Leaves hours for later that still fill and have hardly grown. */
  readonly isGrown?: boolean;
}

/** Groups the hours of the last days whose checks are not, or not all, newest first; returns their accounts. */
export async function groupHours(
  { db, lookUp }: Dependencies,
  { days, turnMs = 0, isGrown = false }: GroupingTurn,
): Promise<Set<string>> {
  const until = performance.now() + turnMs;
  const accounts = new Set<string>();
  for (;;) {
    const hours = await ungroupedHours(db, { daysMax: days, countMax: HOURS_MAX, isGrown });
    for (const { hour, accountIds } of together(hours)) {
      // Scoring may be away: the hour is then grouped without their countries and systems.
      if (lookUp) await learnOrigins(db, hour, accountIds, lookUp).catch(() => undefined);
      await regroupHour(db, hour, accountIds);
      for (const accountId of accountIds) accounts.add(accountId);
    }
    if (hours.length < HOURS_MAX || performance.now() > until) return accounts;
  }
}

/** Accounts by hour, as many as one statement takes. */
function together(hours: readonly AccountHour[]): { hour: string; accountIds: string[] }[] {
  const groups: { hour: string; accountIds: string[]; checks: number }[] = [];
  for (const { account_id, hour, checks } of hours) {
    const last = groups.at(-1);
    if (last?.hour === hour && last.checks + checks <= CHECKS_MAX) {
      last.accountIds.push(account_id);
      last.checks += checks;
    } else groups.push({ hour, accountIds: [account_id], checks });
  }
  return groups;
}

/** The hour is read once, however many networks it has: reading it for each question would read every check a hundred times. */
async function learnOrigins(
  db: Database,
  hour: string,
  accountIds: readonly string[],
  lookUp: LookUp,
): Promise<void> {
  const unknown = await unknownNetworks(db, hour, accountIds);
  for (let from = 0; from < unknown.length; from += ASKED_MAX) {
    const asked = unknown.slice(from, from + ASKED_MAX);
    const found = await lookUp(asked.map(({ ip }) => ip));
    await storeOrigins(
      db,
      asked.map(({ network }, i) => ({
        network,
        country: found[i]?.country ?? null,
        asn: found[i]?.asn ?? null,
      })),
    );
  }
}
