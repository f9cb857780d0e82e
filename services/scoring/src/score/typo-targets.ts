export interface TypoTarget {
  readonly domain: string;
  /** Left of the first dot. */
  readonly name: string;
  /** Right of it. */
  readonly suffix: string;
  /** Long and odd enough that a neighbour in spelling is a slip, not a company of its own. */
  readonly fuzzy: boolean;
}

/**
 * Providers whose misspellings are worth a "did you mean". `fuzzy` is off for short or ordinary words: line.com,
 * photon.me, cloud.com and mask.io are not slips of live.com, proton.me, icloud.com and mail.com.
 */
export const typoTargets: readonly TypoTarget[] = [
  ...fuzzy(
    'gmail.com',
    'googlemail.com',
    'hotmail.com',
    'hotmail.co.uk',
    'hotmail.fr',
    'hotmail.it',
    'hotmail.de',
  ),
  ...fuzzy(
    'outlook.com',
    'outlook.fr',
    'outlook.de',
    'yahoo.com',
    'yahoo.co.uk',
    'yahoo.fr',
    'yahoo.de',
    'yahoo.it',
  ),
  ...fuzzy(
    'yahoo.co.in',
    'yahoo.co.jp',
    'yahoo.com.br',
    'ymail.com',
    'rocketmail.com',
    'icloud.com',
    'protonmail.com',
  ),
  ...fuzzy('tutanota.com', 'fastmail.com', 'comcast.net', 'verizon.net', 'sbcglobal.net', 'bellsouth.net'),
  ...fuzzy('btinternet.com', 'virginmedia.com', 't-online.de', 'wanadoo.fr', 'laposte.net'),
  ...fuzzy('rediffmail.com', 'yandex.ru', 'yandex.com', 'seznam.cz'),
  ...exact(
    'aol.com',
    'msn.com',
    'live.com',
    'me.com',
    'mac.com',
    'mail.com',
    'gmx.com',
    'gmx.de',
    'gmx.net',
    'web.de',
  ),
  ...exact(
    'proton.me',
    'mail.ru',
    'zoho.com',
    'orange.fr',
    'libero.it',
    'qq.com',
    '163.com',
    '126.com',
    'cox.net',
  ),
  ...exact(
    'charter.net',
    'att.net',
    'earthlink.net',
    'juno.com',
    'ymail.com',
    'naver.com',
    'rambler.ru',
    'freenet.de',
  ),
];

/** The same by length of the name: only neighbours in length can be one edit away. */
export const typoTargetsByLength: readonly (readonly TypoTarget[])[] = groupByLength();

function groupByLength(): TypoTarget[][] {
  const groups: TypoTarget[][] = [];
  for (const target of typoTargets) {
    const group = groups[target.name.length] ?? [];
    group.push(target);
    groups[target.name.length] = group;
  }
  return groups;
}

function fuzzy(...domains: string[]): TypoTarget[] {
  return domains.map((domain) => split(domain, true));
}

function exact(...domains: string[]): TypoTarget[] {
  return domains.map((domain) => split(domain, false));
}

function split(domain: string, isFuzzy: boolean): TypoTarget {
  const dot = domain.indexOf('.');
  return { domain, name: domain.slice(0, dot), suffix: domain.slice(dot + 1), fuzzy: isFuzzy };
}
