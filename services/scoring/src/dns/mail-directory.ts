import { createSemaphore } from '@verdict/shares/semaphore.js';
import type { TokenBuckets } from '@verdict/shares/token-buckets.js';
import { LRUCache } from 'lru-cache';
import type { LookUpMail } from './look-up-mail.js';
import { type MailOutcome, type UnknownCause, unknownMail } from './mail-outcome.js';
import { registrableDomain } from './registrable-domain.js';

/** Where mail goes, remembered. */
export type MailDirectory = ReturnType<typeof createMailDirectory>;

interface MailDirectoryOptions {
  readonly lookUp: LookUpMail;
  /** Never-seen domains, by account. */
  readonly budget: Pick<TokenBuckets, 'take'>;
  /** Look-ups below one registrable domain over all accounts, to protect its name servers. */
  readonly domainBudget: Pick<TokenBuckets, 'take'>;
  readonly deadlineMs: number;
  readonly concurrency: number;
  readonly entriesMax: number;
  readonly onOutcome: (outcome: MailOutcome) => void;
  readonly now?: () => number;
}

interface Remembered {
  readonly outcome: MailOutcome;
  readonly freshUntil: number;
  /** Mail servers that were there yesterday are there today: used while a new look-up runs or fails. */
  readonly usableUntil: number;
}

interface Flight {
  readonly answer: Promise<MailOutcome>;
}

/** Queued look-ups per concurrent one. */
const QUEUE_FACTOR = 4;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Node does not report the TTL of MX records; an hour is what most of them carry. */
const FOUND_FRESH_MS = HOUR;
const FOUND_USABLE_MS = 24 * HOUR;
const NULL_MX_FRESH_MS = HOUR;
const ABSENT_FRESH_MS = 10 * MINUTE;
/** A failure is remembered as a failure, never as an absence, and only to spare a struggling server. */
const UNKNOWN_FRESH_MS = 2 * SECOND;

export function createMailDirectory(options: MailDirectoryOptions) {
  const { lookUp, budget, domainBudget, deadlineMs, concurrency, entriesMax, onOutcome } = options;
  const now = options.now ?? Date.now;
  const memory = new LRUCache<string, Remembered>({ max: entriesMax });
  const flights = new Map<string, Flight>();
  const slots = createSemaphore({ capacity: concurrency, queueMax: concurrency * QUEUE_FACTOR });

  return {
    /** Immediate when cached, otherwise a promise that keeps the deadline and never rejects. */
    find(domain: string, accountId: string) {
      const time = now();
      const known = memory.get(domain);
      if (known !== undefined && time < known.freshUntil) return known.outcome;
      const usable = known !== undefined && time < known.usableUntil;
      const flight = flights.get(domain);
      if (flight !== undefined) return usable ? known.outcome : flight.answer;
      // Only a domain that was not asked about recently costs its account a token.
      if (!usable && !budget.take(accountId)) return refuse('budget');
      if (!domainBudget.take(registrableDomain(domain))) return usable ? known.outcome : refuse('budget');
      const started = start(domain, accountId);
      if (usable) return known.outcome;
      return started?.answer ?? refuse('busy');
    },
  };

  /** Undefined where the account has no place left, not even in line. */
  function start(domain: string, accountId: string): Flight | undefined {
    let settle: (outcome: MailOutcome) => void = () => {};
    const answer = new Promise<MailOutcome>((resolve) => {
      settle = resolve;
    });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      onOutcome(unknownMail('deadline'));
      settle(unknownMail('deadline'));
      if (typeof place !== 'string' && place.leave()) flights.delete(domain);
    }, deadlineMs);
    const flight = { answer };
    flights.set(domain, flight);
    const place = slots.enter([accountId], async (share) => {
      // The look-up continues after its deadline and fills the cache for the next request.
      const outcome = await lookUp(domain).finally(() => share.release());
      clearTimeout(timer);
      flights.delete(domain);
      remember(domain, outcome);
      if (!late) onOutcome(outcome);
      settle(outcome);
    });
    if (typeof place !== 'string') return flight;
    clearTimeout(timer);
    flights.delete(domain);
    return undefined;
  }

  function remember(domain: string, outcome: MailOutcome): void {
    const time = now();
    const known = memory.get(domain);
    if (outcome.kind === 'unknown' && known !== undefined && time < known.usableUntil) return;
    memory.set(domain, {
      outcome,
      freshUntil: time + freshFor(outcome),
      usableUntil: time + usableFor(outcome),
    });
  }

  function refuse(cause: UnknownCause): MailOutcome {
    onOutcome(unknownMail(cause));
    return unknownMail(cause);
  }
}

function freshFor(outcome: MailOutcome): number {
  switch (outcome.kind) {
    case 'mx':
      return FOUND_FRESH_MS;
    case 'null_mx':
      return NULL_MX_FRESH_MS;
    case 'unknown':
      return UNKNOWN_FRESH_MS;
    default:
      return ABSENT_FRESH_MS;
  }
}

function usableFor(outcome: MailOutcome): number {
  return outcome.kind === 'mx' ? FOUND_USABLE_MS : freshFor(outcome);
}
