import { allProviders } from '@verdict/domain/address/provider-domains.js';

/**
 * A source that names one of these is broken or forged and is not used at all: no honest mistake puts them on a list.
 * Written here and not read from the data, so that bad data cannot bring its own excuse.
 */
export const neverListed: readonly string[] = `
  gmail.com googlemail.com outlook.com hotmail.com hotmail.co.uk hotmail.fr live.com msn.com
  yahoo.com yahoo.co.uk yahoo.co.jp yahoo.fr yahoo.de yahoo.co.in ymail.com aol.com icloud.com me.com mac.com
  proton.me protonmail.com pm.me tuta.com tutanota.com fastmail.com hey.com zoho.com zohomail.com mailbox.org posteo.de
  gmx.de gmx.net gmx.com web.de t-online.de freenet.de mail.com orange.fr wanadoo.fr free.fr laposte.net sfr.fr
  libero.it virgilio.it alice.it tiscali.it wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz abv.bg
  mail.ru bk.ru list.ru inbox.ru yandex.ru yandex.com ya.ru rambler.ru ukr.net i.ua
  qq.com 163.com 126.com sina.com sohu.com foxmail.com aliyun.com naver.com daum.net hanmail.net nate.com
  rediffmail.com docomo.ne.jp bigpond.com optusnet.com.au xtra.co.nz uol.com.br bol.com.br terra.com.br
  comcast.net verizon.net att.net sbcglobal.net bellsouth.net charter.net cox.net earthlink.net shaw.ca rogers.com
  btinternet.com virginmedia.com sky.com talktalk.net telenet.be bluewin.ch
  google.com microsoft.com apple.com amazon.com facebook.com meta.com ibm.com oracle.com github.com nus.edu.sg
  duck.com mozmail.com privaterelay.appleid.com simplelogin.com addy.io passmail.net`
  .trim()
  .split(/\s+/);

/** Providers and sites that honest lists have carried by mistake. */
const listedByMistake = `
  21cn.com sify.com yandex.net forwardemail.net improvmx.com poczta.pl lavabit.com sdf.org craigslist.org hola.org
  hidemyass.com mamba.ru ibibo.com`
  .trim()
  .split(/\s+/);

/** Names that no release may contain, whatever its sources say: blocking these people would be the worst mistake. */
export const neverDisposable: readonly string[] = [
  ...new Set([...neverListed, ...allProviders(), ...listedByMistake]),
];
