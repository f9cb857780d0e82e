import { domainOfAddress } from '@verdict/domain/address/domain-of-address.js';
import { ipDigits } from '@verdict/domain/address/ip-network.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { hostsOf } from '@verdict/domain/mail-servers.js';
import type { Subject } from '@verdict/redis-store/step.js';
import type { Candidate } from './submission.js';

/** The parts of a check that entries of lists may name. */
export function toSubject({ canonical, normalIp, verdict }: Meetable): Subject {
  const domain = domainOfAddress(canonical);
  const mailbox = verdict.extra.alias ? mailboxOf({ canonical, domain }, true) : '';
  const hosts = hostsOf(verdict.extra.mail);
  return { address: canonical, mailbox, domain, ip: normalIp, digits: ipDigits(normalIp), hosts };
}

/** The parts of a check that decide what it meets. */
export type Meetable = Pick<Candidate, 'canonical' | 'normalIp' | 'verdict'>;
