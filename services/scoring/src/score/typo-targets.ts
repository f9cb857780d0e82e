export interface TypoTarget {
  readonly domain: string;
  /** Left of the first dot. */
  readonly name: string;
  /** Right of it. */
  readonly suffix: string;
  /** Long and odd enough that a neighbour in spelling is a slip, not a company of its own. */
  readonly fuzzy: boolean;
}

/** Providers whose name and ending are both worth correcting. */
const fuzzyNames = `
  gmail.com googlemail.com icloud.com protonmail.com tutanota.com fastmail.com rocketmail.com
  hotmail.com hotmail.co.uk hotmail.fr hotmail.it hotmail.de outlook.com outlook.fr outlook.de
  yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.co.in yahoo.co.jp yahoo.com.br
  comcast.net verizon.net sbcglobal.net bellsouth.net btinternet.com virginmedia.com
  t-online.de wanadoo.fr laposte.net rediffmail.com yandex.ru yandex.com seznam.cz`;

/**
 * Providers with a short or ordinary name, of which only the ending is corrected: line.com, never.com, photon.me and
 * mask.io are not slips of live.com, naver.com, proton.me and mail.com.
 */
const exactNames = `
  aol.com msn.com live.com me.com mac.com mail.com ymail.com gmx.com gmx.de gmx.net web.de freenet.de
  proton.me mail.ru rambler.ru zoho.com orange.fr libero.it qq.com 163.com 126.com naver.com
  cox.net charter.net att.net earthlink.net juno.com`;

export const typoTargets: readonly TypoTarget[] = [...read(fuzzyNames, true), ...read(exactNames, false)];

/** The same by length of the name: only neighbours in length can be one edit away. */
export const typoTargetsByLength: readonly (readonly TypoTarget[])[] = groupByLength();

function read(names: string, fuzzy: boolean): TypoTarget[] {
  return names
    .trim()
    .split(/\s+/)
    .map((domain) => {
      const dot = domain.indexOf('.');
      return { domain, name: domain.slice(0, dot), suffix: domain.slice(dot + 1), fuzzy };
    });
}

function groupByLength(): TypoTarget[][] {
  const groups: TypoTarget[][] = [];
  for (const target of typoTargets) {
    const group = groups[target.name.length] ?? [];
    group.push(target);
    groups[target.name.length] = group;
  }
  return groups;
}
