import { findMailboxHost } from '@verdict/datasets/mail-hosts.js';
import type { MailOutcome } from '../dns/mail-outcome.js';
import { namedServers } from '../dns/named-servers.js';
import { type Front, findFront } from './find-front.js';
import type { DomainFacts } from './read-domain.js';

/** A domain's facts together with where its mail goes. */
export interface MailFacts extends DomainFacts {
  /** Undefined where DNS need not be asked. */
  readonly outcome: MailOutcome | undefined;
  /** The paid mailbox host that the mail is at. */
  readonly mailboxHost: string | undefined;
  /** The mail servers, as mailText writes them. */
  readonly servers: string;
  /** The throw-away service behind a domain that no list names. */
  readonly front: Front | undefined;
}

export function readMail(facts: DomainFacts, outcome: MailOutcome | undefined): MailFacts {
  const unlisted = facts.disposable === undefined && facts.kind !== 'relay';
  return {
    ...facts,
    outcome,
    mailboxHost: outcome?.kind === 'mx' ? findMailboxHost(outcome.hosts) : undefined,
    servers: outcome?.kind === 'mx' ? namedServers(outcome.hosts) : '',
    front: unlisted ? findFront(facts.domain, outcome, facts.datasets) : undefined,
  };
}
