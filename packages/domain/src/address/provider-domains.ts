/**
 * The mailbox domains that people type most, by region: what a slip is corrected to, and what must never be called
 * disposable. Each has been a consumer or access provider for years.
 */
export const providerDomains = {
  global: `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com aol.com
    icloud.com me.com mac.com protonmail.com proton.me tutanota.com fastmail.com zoho.com mail.com gmx.com hushmail.com`,
  unitedStates: `comcast.net verizon.net sbcglobal.net bellsouth.net att.net charter.net cox.net earthlink.net juno.com
    frontier.com optonline.net windstream.net roadrunner.com`,
  unitedKingdomIrelandCanada: `hotmail.co.uk yahoo.co.uk live.co.uk btinternet.com virginmedia.com talktalk.net sky.com
    blueyonder.co.uk ntlworld.com eircom.net sympatico.ca rogers.com shaw.ca telus.net videotron.ca yahoo.ca hotmail.ca`,
  germanyAustriaSwitzerland: `gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de arcor.de posteo.de mailbox.org
    hotmail.de yahoo.de outlook.de live.de bluewin.ch hispeed.ch vodafone.de`,
  franceBelgiumNetherlands: `orange.fr wanadoo.fr free.fr sfr.fr laposte.net neuf.fr bbox.fr numericable.fr hotmail.fr
    yahoo.fr outlook.fr live.fr telenet.be skynet.be hotmail.be live.be ziggo.nl kpnmail.nl planet.nl hotmail.nl live.nl`,
  italySpainPortugal: `libero.it virgilio.it tiscali.it alice.it tin.it hotmail.it yahoo.it live.it outlook.it hotmail.es
    yahoo.es outlook.es telefonica.net sapo.pt outlook.pt live.com.pt`,
  polandCzechiaHungaryBulgaria: `wp.pl onet.pl interia.pl o2.pl op.pl gazeta.pl seznam.cz centrum.cz email.cz azet.sk
    centrum.sk freemail.hu citromail.hu abv.bg`,
  russiaUkraine: `mail.ru yandex.ru yandex.com rambler.ru bk.ru list.ru inbox.ru ukr.net meta.ua`,
  nordic: `telia.com online.no hotmail.se yahoo.se live.se hotmail.no hotmail.dk yahoo.dk live.dk hotmail.fi`,
  brazilLatinAmerica: `uol.com.br bol.com.br terra.com.br globo.com ig.com.br hotmail.com.br yahoo.com.br outlook.com.br
    yahoo.com.ar hotmail.com.ar live.com.ar yahoo.com.mx live.com.mx outlook.cl`,
  asia: `qq.com 163.com 126.com sina.com sohu.com foxmail.com aliyun.com naver.com hanmail.net daum.net nate.com
    docomo.ne.jp ezweb.ne.jp softbank.ne.jp yahoo.co.jp hotmail.co.jp outlook.jp yahoo.co.in yahoo.in rediffmail.com
    yahoo.co.id yahoo.com.ph yahoo.com.sg yahoo.com.hk yahoo.com.tw yahoo.com.vn outlook.co.id`,
  australiaNewZealand: `bigpond.com bigpond.net.au optusnet.com.au iinet.net.au tpg.com.au xtra.co.nz yahoo.com.au
    outlook.com.au live.com.au hotmail.com.au yahoo.co.nz`,
  turkeyIsraelAfrica: `hotmail.com.tr outlook.com.tr yahoo.com.tr walla.co.il hotmail.co.il yahoo.co.za mweb.co.za
    live.co.za`,
} as const satisfies Record<string, string>;

export type ProviderRegion = keyof typeof providerDomains;

export function providersOf(region: ProviderRegion): string[] {
  return providerDomains[region].trim().split(/\s+/);
}

export function allProviders(): string[] {
  return (Object.keys(providerDomains) as ProviderRegion[]).flatMap(providersOf);
}
