import type { LookUp } from '@verdict/admission/look-up-networks.js';
import type { Database } from '@verdict/db/database/client.js';
import { storeOrigins, unknownNetworks } from '@verdict/db/groups/network-origins.js';
import { regroupHour } from '@verdict/db/groups/regroup-hour.js';
import { type AccountHour, ungroupedHours } from '@verdict/db/groups/ungrouped-hours.js';

/** Hours of one read. */
const HOURS_MAX = 200;
/** IPs of one question to scoring. */
const NETWORKS_MAX = 1_000;

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
    for (const hour of hours) {
      // Scoring may be away: the hour is then grouped without their countries and systems.
      if (lookUp) await learnOrigins(db, hour, lookUp).catch(() => undefined);
      await regroupHour(db, hour);
      accounts.add(hour.account_id);
    }
    if (hours.length < HOURS_MAX || performance.now() > until) return accounts;
  }
}

async function learnOrigins(db: Database, hour: AccountHour, lookUp: LookUp): Promise<void> {
  for (;;) {
    const unknown = await unknownNetworks(db, hour, NETWORKS_MAX);
    if (unknown.length === 0) return;
    const found = await lookUp(unknown.map(({ ip }) => ip));
    await storeOrigins(
      db,
      unknown.map(({ network }, i) => ({
        network,
        country: found[i]?.country ?? null,
        asn: found[i]?.asn ?? null,
      })),
    );
    if (unknown.length < NETWORKS_MAX) return;
  }
}
