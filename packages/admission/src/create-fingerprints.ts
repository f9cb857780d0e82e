import { hash, hkdfSync } from 'node:crypto';
import { domainOfAddress } from '@verdict/domain/address/domain-of-address.js';
import { ipDigits } from '@verdict/domain/address/ip-network.js';
import { localShape } from '@verdict/domain/address/local-shape.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { castsDoubt } from '@verdict/domain/burst-rules.js';
import { oncePerObject } from '@verdict/domain/once-per-object.js';
import type { Things } from '@verdict/redis-store/counted-things.js';
import { LRUCache } from 'lru-cache';
import type { Meetable } from './to-subject.js';

export type Fingerprint = (accountId: string, check: Meetable) => Things;
/** Name of the thing that an IP is; null for text that is not one. */
export type IpFingerprint = (accountId: string, ip: string) => string | null;

const NAME_CHARS = 11;
const MEMBER_CHARS = 6;
/** Checks of an account share few domains, so their digests are remembered; `maxSize` takes their memory when it is needed. */
const DOMAINS = { maxSize: 20_000, sizeCalculation: () => 1 };
/** A mailbox always, then domain, shape and IP as the bits of the position say. */
const COUNTS = ['1---', '1--1', '1-1-', '1-11', '11--', '11-1', '111-', '1111'];
/** Hexadecimal digits of the network that a household has in IPv6: /64. */
const HOUSEHOLD_DIGITS = 16;

/**
 * Names the counted things of a check by keyed fingerprints, so that Redis learns no address, domain or IP. Their key is derived
 * from a secret that all gateways share.
 */
export function createFingerprints(secret: string): Fingerprint {
  const keyed = createKeyed(secret);
  const domains = new LRUCache<string, string>(DOMAINS);
  const nameOfDomain = (text: string): string => {
    const known = domains.get(text);
    if (known !== undefined) return known;
    const name = nameOf(keyed(text));
    domains.set(text, name);
    return name;
  };
  return (accountId, { canonical, normalIp, verdict }) => {
    const domain = domainOfAddress(canonical);
    const mailbox = mailboxOf({ canonical, domain }, verdict.extra.alias);
    const person = keyed(`${accountId} mailbox ${mailbox}`);
    const spelling = canonical === mailbox ? person : keyed(`${accountId} mailbox ${canonical}`);
    const { relay, sms_gateway } = verdict.extra;
    const isProvider = verdict.signals.free_provider || relay === true || sms_gateway === true;
    const shape = isProvider ? null : localShape(mailbox.slice(0, mailbox.lastIndexOf('@')));
    const digits = household(normalIp);
    return {
      score: verdict.risk_score,
      isDoubtful: isDoubtful(verdict),
      counts: COUNTS[(isProvider ? 0 : 4) + (shape === null ? 0 : 2) + (digits === '' ? 0 : 1)] as string,
      // One list of a known length: a list that grows leaves room for seventeen.
      names: [
        nameOf(person),
        isProvider ? null : nameOfDomain(`${accountId} domain ${domain}`),
        shape === null ? null : nameOf(keyed(`${accountId} shape ${shape}@${domain}`)),
        digits === '' ? null : nameOf(keyed(ipText(accountId, digits))),
      ],
      spelling: memberOf(spelling),
      member: memberOf(person),
    };
  };
}

const isDoubtful = oncePerObject((verdict: Meetable['verdict']): boolean =>
  verdict.factors.some(({ code }) => castsDoubt(code)),
);

/** Names an IP as checks name it. */
export function createIpFingerprint(secret: string): IpFingerprint {
  const keyed = createKeyed(secret);
  return (accountId, ip) => {
    const digits = household(ip);
    return digits === '' ? null : nameOf(keyed(ipText(accountId, digits)));
  };
}

const nameOf = (digest: string): string => digest.slice(0, NAME_CHARS);
const memberOf = (digest: string): string => digest.slice(-MEMBER_CHARS);
const household = (ip: string): string => ipDigits(ip).slice(0, HOUSEHOLD_DIGITS);
const ipText = (accountId: string, digits: string): string => `${accountId} ip ${digits}`;

function createKeyed(secret: string): (text: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'verdict bursts', 32)).toString('base64url');
  // Hashed behind the key in one call, at a third of the cost of an HMAC. A prefix is enough of a key here: no digest
  // leaves whole, so none can be extended.
  return (text) => hash('sha256', `${key} ${text}`, 'base64url');
}
