import type { MxRecord } from 'node:dns';
import { isSharedHost } from '@verdict/datasets/mail-hosts.js';
import type { Canary } from './canary.js';
import { type MailOutcome, unknownMail } from './mail-outcome.js';
import { isAbsence, isNoSuchName, isNoSuchRecord, type ResolverPair } from './resolver-pair.js';
import { isUnroutableAddress, isUnroutableHost } from './unroutable.js';

export type LookUpMail = (domain: string) => Promise<MailOutcome>;

/** One cold look-up, from MX to address records to SPF. Never rejects: what cannot be learnt is unknown. */
export function createMailLookUp(resolvers: ResolverPair, canary: Canary): LookUpMail {
  return async (domain) => {
    try {
      const records = await resolvers.ask((resolver) => resolver.resolveMx(domain));
      if (records.length > 0) return await describe(records);
      return await withoutMx(domain);
    } catch (error) {
      if (isNoSuchName(error)) return believed({ kind: 'not_found' });
      if (isNoSuchRecord(error)) return withoutMx(domain);
      return unknownMail('failure');
    }
  };

  async function describe(records: MxRecord[]): Promise<MailOutcome> {
    const hosts = records
      .toSorted((a, b) => a.priority - b.priority)
      .map(({ exchange }) => normalise(exchange));
    if (hosts.every((host) => host === '')) return { kind: 'null_mx' };
    const named = hosts.filter((host) => host !== '');
    return { kind: 'mx', hosts: named, ...(await locate(named)) };
  }

  /** RFC 5321 section 5.1: without MX, mail goes to the address of the domain, unless its owner forbids mail. */
  async function withoutMx(domain: string): Promise<MailOutcome> {
    const [v4, v6, mailForbidden] = await Promise.all([
      presence(resolvers.ask((resolver) => resolver.resolve4(domain))),
      presence(resolvers.ask((resolver) => resolver.resolve6(domain))),
      forbidsMail(domain),
    ]);
    if (v4 === 'found' || v6 === 'found')
      return mailForbidden ? { kind: 'no_mail' } : { kind: 'implicit_mx' };
    if (v4 === 'unknown' || v6 === 'unknown') return unknownMail('failure');
    return believed({ kind: 'no_mail' });
  }

  async function forbidsMail(domain: string): Promise<boolean> {
    const texts = await resolvers.ask((resolver) => resolver.resolveTxt(domain)).catch(() => []);
    return texts.some((chunks) => chunks.join('').trim().toLowerCase() === 'v=spf1 -all');
  }

  /** Only a certain no counts: a server whose address cannot be learnt in time is taken for routable. */
  async function locate(hosts: readonly string[]): Promise<{ addresses: string[]; routable: boolean }> {
    const candidates = hosts.filter((host) => !isUnroutableHost(host));
    const [best] = candidates;
    if (best === undefined) return { addresses: [], routable: false };
    if (candidates.some(isSharedHost)) return { addresses: [], routable: true };
    const addresses = await resolvers.ask((resolver) => resolver.resolve4(best)).catch(() => []);
    const routable = candidates.length > 1 || addresses.length === 0 || !addresses.every(isUnroutableAddress);
    return { addresses, routable };
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
