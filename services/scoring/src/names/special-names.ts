import { findSelfOrParent } from '@verdict/datasets/find-self-or-parent.js';

/** Endings that can never receive mail from the Internet: RFC 2606, 6761, 6762, 7686, 8375, 9476 and ICANN's .internal. */
const reservedEndings = new Set([
  'test',
  'example',
  'invalid',
  'localhost',
  'local',
  'onion',
  'internal',
  'alt',
]);

/**
 * Internal endings that will never be delegated (ICANN deferred corp, home and mail indefinitely). Querying them would
 * reveal internal names; `arpa` is for reverse look-ups.
 */
const internalEndings = new Set(
  'arpa corp home mail lan intranet private localdomain domain workgroup consul cluster docker kube svc belkin fritz dlink'.split(
    ' ',
  ),
);

/**
 * Suffixes in the private section of the public suffix list under which names are sold, not given away: businesses pay
 * for acme.uk.com as they pay for acme.co.uk.
 */
const paidSuffixes = new Set(
  `ae.org br.com cn.com co.com co.nl co.no com.de com.se de.com eu.com gb.com gb.net gr.com hu.com hu.net in.net jp.net
   jpn.com kr.com mex.com no.com qc.com ru.com sa.com se.com se.net uk.com uk.net us.com us.org uy.com za.com
   za.bz za.net za.org
   com.ru msk.ru msk.su net.ru nov.ru nov.su org.ru spb.ru spb.su biz.ua co.ua
   art.pl gliwice.pl krakow.pl poznan.pl wroc.pl zakopane.pl`.split(/\s+/),
);

/** Given away like those of the public suffix list's private section, but not on it. */
const givenAwaySuffixes = new Set(
  'dns.army dns.navy bot.cd linkpc.net work.gd run.place publicvm.com kro.kr n-e.kr'.split(' '),
);

const unreadLabels = new Set('noreply no-reply no_reply donotreply do-not-reply'.split(' '));

export function isReservedName(domain: string): boolean {
  return reservedEndings.has(endingOf(domain)) || isInternalName(domain);
}

/** A name that means something inside one network only. */
export function isInternalName(domain: string): boolean {
  return internalEndings.has(endingOf(domain));
}

function endingOf(domain: string): string {
  return domain.slice(domain.lastIndexOf('.') + 1);
}

export function isPaidSuffix(suffix: string): boolean {
  return paidSuffixes.has(suffix);
}

/** The suffix under which this name was had for nothing, where the public suffix list does not say so. */
export function findGivenAwaySuffix(domain: string): string | undefined {
  const suffix = findSelfOrParent(domain, givenAwaySuffixes);
  return suffix === domain ? undefined : suffix;
}

/** users.noreply.github.com and the like: the domain itself is marked as unread. */
export function isUnreadDomain(domain: string): boolean {
  if (!domain.includes('reply')) return false;
  return domain.split('.').some((label) => unreadLabels.has(label));
}
