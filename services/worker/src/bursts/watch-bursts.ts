import { randomFillSync } from 'node:crypto';
import type { LookUp } from '@verdict/admission/look-up-networks.js';
import { accountsWithBursts, createBurstReading } from '@verdict/db/bursts/burst-reading.js';
import { countBurst, endBurst, startBurst } from '@verdict/db/bursts/note-bursts.js';
import { type Repeated, readRepetitions } from '@verdict/db/bursts/repetitions.js';
import type { Database } from '@verdict/db/database/client.js';
import { domainShape } from '@verdict/domain/address/domain-shape.js';
import { goesOn, isBurst } from '@verdict/domain/bursts/is-burst.js';
import { BURST_KINDS } from '@verdict/domain/check-groups.js';
import { createIdFactory } from '@verdict/domain/id.js';
import type { Sealer } from '@verdict/domain/sealed-text.js';
import { burstMails } from '../mail/burst-mails.js';
import { groupHours } from './group-hours.js';

const createId = createIdFactory(Date.now, (bytes) => void randomFillSync(bytes));

/** The running hour, the one before, and one that a queue was late for. */
const RECENT_DAYS = 3 / 24;
/** Running bursts of one kind that an account hears of. */
const OF_KIND_MAX = 5;

interface Dependencies {
  readonly db: Database;
  /** Null without a scoring service. */
  readonly lookUp: LookUp | null;
  /** Null where no mail is sent. */
  readonly sealer: Sealer | null;
}

/** Groups the checks of the last hours, and says for every account that had some what repeats in them. */
export async function watchBursts(deps: Dependencies): Promise<{ started: number; ended: number }> {
  const grouped = await groupHours(deps, { days: RECENT_DAYS, isGrown: true });
  const accounts = new Set([...grouped, ...(await accountsWithBursts(deps.db))]);
  const found = { started: 0, ended: 0 };
  for (const accountId of accounts) {
    const { started, ended } = await watchAccount(deps, accountId);
    found.started += started;
    found.ended += ended;
  }
  return found;
}

/** Starts before it ends, so that an attack which changes its network is one attack to those who get mails. */
async function watchAccount(
  deps: Dependencies,
  accountId: string,
): Promise<{ started: number; ended: number }> {
  const { db } = deps;
  const repetitions = await readRepetitions(db, accountId);
  const running = repetitions.filter((repetition) => repetition.burst !== null);
  const goingOn = running.filter(goesOn);
  for (const { burst } of goingOn) if (burst !== null) await countBurst(db, accountId, burst);
  const begun = repetitions.filter(
    (repetition) => repetition.burst === null && isBurst(repetition) && !isOneDomain(repetition, repetitions),
  );
  let started = 0;
  for (const burst of withRoom(begun.sort(byWeight), goingOn)) {
    // Only the first one is mailed, so nothing is sealed for the others.
    const isFirst = started === 0 && running.length === 0;
    const told = { ...burst, started_at: recentStart() };
    const mails = isFirst ? await burstMails(deps, accountId, 'started', told) : [];
    if (await startBurst(db, accountId, createId('bst'), burst, mails)) started++;
  }
  const over = new Set(running.filter((repetition) => !goesOn(repetition)).map(({ burst }) => burst));
  const told = over.size === 0 ? [] : await createBurstReading(db, accountId).list();
  // The largest last: it is the one that the mail names.
  for (const burst of told.filter(({ id }) => over.has(id)).reverse())
    await endBurst(db, accountId, burst.id, await burstMails(deps, accountId, 'ended', burst));
  return { started, ended: over.size };
}

/** Whether most checks of a shape are on one domain, which then says more. */
const isOneDomain = ({ kind, value, checks }: Repeated, all: readonly Repeated[]): boolean =>
  kind === 'shape' &&
  all.some((one) => one.kind === 'domain' && domainShape(one.value) === value && one.checks * 2 >= checks);

/** Those with most checks first, and of these the narrowest kind. */
const byWeight = (a: Repeated, b: Repeated): number =>
  b.checks - a.checks || BURST_KINDS.indexOf(a.kind) - BURST_KINDS.indexOf(b.kind);

const HOUR_MS = 3_600_000;
/** The beginning of the hours in which repetitions are counted. */
const recentStart = (): string => new Date((Math.floor(Date.now() / HOUR_MS) - 1) * HOUR_MS).toISOString();

/** The first of each kind, as many as there is room for beside the running ones. */
function withRoom(begun: readonly Repeated[], goingOn: readonly Repeated[]): Repeated[] {
  const counts = new Map<string, number>();
  const next = ({ kind }: Repeated) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count;
  };
  for (const one of goingOn) next(one);
  return begun.filter((one) => next(one) <= OF_KIND_MAX);
}
