export interface Weight {
  /** Of the hard factors only the strongest counts; soft ones add up. */
  readonly kind: 'hard' | 'soft';
  readonly points: number;
  readonly why: string;
}

/**
 * The whole model in one table. Points are reasoned, not fitted; docs/scoring.md has the precision and recall of every
 * rule that can be measured. Bands: allow under 30, challenge to 54, review to 79, block from 80.
 */
export const weights = {
  DISPOSABLE_DOMAIN: hard(
    90,
    'A curated or crawled list, or two independent families, name it: peers block these',
  ),
  DISPOSABLE_DOMAIN_SINGLE_SOURCE: hard(
    80,
    'One aggregate list names it: known disposable, just on the line',
  ),
  DISPOSABLE_DOMAIN_DISPUTED: hard(
    60,
    'One list names it, but its mail is at a mailbox host that throw-away fronts do not pay for',
  ),
  DISPOSABLE_MX: hard(85, 'New fronts rotate weekly, the servers that receive for them do not'),
  DISPOSABLE_MX_SINGLE_SOURCE: hard(
    60,
    'One list names the mail server, or an address that many fronts share: a person should look',
  ),
  HOMOGRAPH: hard(85, 'Foreign letters that draw a big provider or brand have no innocent use'),
  DOMAIN_NOT_FOUND: hard(85, 'No such domain, said by a resolver that has just proved it can be believed'),
  RESERVED_DOMAIN: hard(85, 'Set aside by RFC 2606, 6761 and their kin; no mail can ever arrive'),
  NULL_MX: hard(85, 'The domain itself says that it takes no mail (RFC 7505)'),
  NO_MX: hard(80, 'No server to deliver to, or only an address whose owner forbids mail (SPF -all)'),
  MX_UNROUTABLE: hard(60, 'Mail servers at localhost or in private ranges: broken or parked, seldom hostile'),
  ADDRESS_LITERAL: hard(60, 'Valid by RFC 5321, never seen in an honest sign-up'),
  IMPLICIT_MX: hard(35, 'Deliverable by RFC 5321 section 5.1, but rare among domains that mean to receive'),
  LIKELY_TYPO: soft(35, 'A person who will never get the confirmation; asking costs one click'),
  UNKNOWN_TLD: soft(
    35,
    'No such ending was delegated when the suffix list was made, and DNS could not say more',
  ),
  FREE_SUBDOMAIN: soft(35, 'Anyone gets names under this suffix at once and for nothing'),
  UNESTABLISHED_RISKY_ENDING: soft(
    35,
    'Such an ending, and no site that anybody visits: only where a web ranking is loaded',
  ),
  NO_REPLY: soft(35, 'Nobody reads it, so nobody confirms'),
  QUOTED_LOCAL: soft(25, 'Valid, yet most mail software cannot send to it'),
  RELAY_DOMAIN: soft(20, 'A real person behind an alias: worth knowing, not worth refusing'),
  ROLE_ACCOUNT: soft(15, 'Shared by several people; refusing it loses small firms'),
  RANDOM_LOCAL: soft(
    10,
    'Looks generated; kept low because names of many languages look so to a rule made for English',
  ),
  RISKY_ENDING: soft(
    14,
    'At least 13 times likelier among disposable names than among genuine ones; not enough by itself',
  ),
  DNS_INDETERMINATE: soft(10, 'Our look-up did not finish; that is hardly the sender’s fault'),
  FREE_PROVIDER: soft(5, 'Information, hardly risk'),
  PLUS_TAG: soft(5, 'A tidy habit that also makes many accounts from one mailbox'),
} as const satisfies Record<string, Weight>;

export type FactorCode = keyof typeof weights;

function hard(points: number, why: string): Weight {
  return { kind: 'hard', points, why };
}

function soft(points: number, why: string): Weight {
  return { kind: 'soft', points, why };
}
