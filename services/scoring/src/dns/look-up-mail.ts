import type { MxRecord } from 'node:dns';
import { isSharedHost } from '@verdict/datasets/mail-hosts.js';
import type { TokenBuckets } from '@verdict/shares/token-buckets.js';
import { LRUCache } from 'lru-cache';
import { isInternalName } from '../names/special-names.js';
import type { Canary } from './canary.js';
import { type MailOutcome, unknownMail } from './mail-outcome.js';
import { registrableDomain, undelegatedEnding } from './registrable-domain.js';
import {
  type Course,
  isAbsence,
  isNoSuchName,
  isNoSuchRecord,
  newCourse,
  type ResolverPair,
} from './resolver-pair.js';
import { isUnroutableAddress, isUnroutableHost } from './unroutable.js';

export type LookUpMail = (domain: string) => Promise<MailOutcome>;

interface MailLookUpOptions {
  readonly resolvers: ResolverPair;
  readonly canary: Canary;
  /** Look-ups below one registrable domain: its owner chooses the names of the mail servers. */
  readonly domainBudget: Pick<TokenBuckets, 'take'>;
}

const HOSTS_MAX = 5_000;
const ENDINGS_MAX = 1_000;
const REMEMBERED_MS = 10 * 60_000;

/**
 * One cold look-up, from MX to address records to SPF; it never rejects, and failures are unknown. A domain with mail
 * costs two queries, a missing one one, one without MX at most three; one of them may go to both resolvers.
 */
export function createMailLookUp({ resolvers, canary, domainBudget }: MailLookUpOptions): LookUpMail {
  const addressesOf = new LRUCache<string, string[]>({ max: HOSTS_MAX, ttl: REMEMBERED_MS });
  const delegated = new LRUCache<string, boolean>({ max: ENDINGS_MAX, ttl: REMEMBERED_MS });

  return async (domain) => {
    const course = newCourse();
    try {
      const ending = undelegatedEnding(domain);
      if (ending !== undefined && !(await isDelegated(ending, course)))
        return believed({ kind: 'not_found' });
      const records = await resolvers.ask((resolver) => resolver.resolveMx(domain), course);
      if (records.length > 0) return await describe(records, course);
      return await withoutMx(domain, course);
    } catch (error) {
      if (isNoSuchName(error)) return believed({ kind: 'not_found' });
      if (isNoSuchRecord(error)) return withoutMx(domain, course);
      return unknownMail('failure');
    }
  };

  /**
   * Names below an undelegated ending are never queried, because they are internal or invented. The ending is queried
   * once for all of them, because endings are created after the suffix list was made.
   */
  async function isDelegated(ending: string, course: Course): Promise<boolean> {
    const known = delegated.get(ending);
    if (known !== undefined) return known;
    const exists = await resolvers
      .ask((resolver) => resolver.resolveMx(ending), course)
      .then(
        () => true,
        (error: unknown) => {
          if (isAbsence(error)) return isNoSuchRecord(error);
          throw error;
        },
      );
    delegated.set(ending, exists);
    return exists;
  }

  async function describe(records: MxRecord[], course: Course): Promise<MailOutcome> {
    const hosts = records
      .toSorted((a, b) => a.priority - b.priority)
      .map(({ exchange }) => normalise(exchange));
    if (hosts.every((host) => host === '')) return { kind: 'null_mx' };
    const named = hosts.filter((host) => host !== '');
    return { kind: 'mx', hosts: named, ...(await locate(named, course)) };
  }

  /** RFC 5321 section 5.1: without MX, mail goes to the address of the domain, unless its owner forbids mail. */
  async function withoutMx(domain: string, course: Course): Promise<MailOutcome> {
    const v4 = await presence(resolvers.ask((resolver) => resolver.resolve4(domain), course));
    if (v4 === 'found')
      return (await forbidsMail(domain, course)) ? { kind: 'no_mail' } : { kind: 'implicit_mx' };
    const v6 = await presence(resolvers.ask((resolver) => resolver.resolve6(domain), course));
    if (v6 === 'found')
      return (await forbidsMail(domain, course)) ? { kind: 'no_mail' } : { kind: 'implicit_mx' };
    if (v4 === 'unknown' || v6 === 'unknown') return unknownMail('failure');
    return believed({ kind: 'no_mail' });
  }

  async function forbidsMail(domain: string, course: Course): Promise<boolean> {
    const texts = await resolvers.ask((resolver) => resolver.resolveTxt(domain), course).catch(() => []);
    return texts.some((chunks) => chunks.join('').trim().toLowerCase() === 'v=spf1 -all');
  }

  /** Only a certain no counts: a server whose address cannot be learnt in time is taken for routable. */
  async function locate(
    hosts: readonly string[],
    course: Course,
  ): Promise<{ addresses: string[]; routable: boolean }> {
    const candidates = hosts.filter((host) => !isUnroutableHost(host));
    const [best] = candidates;
    if (best === undefined) return { addresses: [], routable: false };
    if (candidates.some(isSharedHost)) return { addresses: [], routable: true };
    const addresses = await findAddresses(best, course);
    const routable = candidates.length > 1 || addresses.length === 0 || !addresses.every(isUnroutableAddress);
    return { addresses, routable };
  }

  /** Servers are shared: what one domain's look-up learnt serves the next. */
  async function findAddresses(host: string, course: Course): Promise<string[]> {
    const known = addressesOf.get(host);
    if (known !== undefined) return known;
    if (isInternalName(host) || !domainBudget.take(registrableDomain(host))) return [];
    try {
      const addresses = await resolvers.ask((resolver) => resolver.resolve4(host), course);
      addressesOf.set(host, addresses);
      return addresses;
    } catch {
      return [];
    }
  }

  /** An absence counts only from a resolver that can find what certainly exists. */
  async function believed(absence: MailOutcome): Promise<MailOutcome> {
    return (await canary.isHealthy()) ? absence : unknownMail('resolver_unhealthy');
  }
}

async function presence(answer: Promise<readonly unknown[]>): Promise<'found' | 'absent' | 'unknown'> {
  try {
    return (await answer).length > 0 ? 'found' : 'absent';
  } catch (error) {
    return isAbsence(error) ? 'absent' : 'unknown';
  }
}

function normalise(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
