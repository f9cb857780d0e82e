/** Which spellings a provider delivers to one mailbox. Each row names where the provider says so. */
export interface MailboxProvider {
  readonly source: string;
  readonly domains: string;
  /** The domain of the folded address, where all domains of the row share their mailboxes. */
  readonly oneDomain?: string;
  /** Dots in the mailbox name are ignored. */
  readonly ignoresDots?: true;
  /** `anything@user.domain` is delivered to `user@domain`. */
  readonly userSubdomains?: true;
}

/** Providers that ignore a tag from the `+` on. Yahoo is not among them, because double names contain its hyphen, too. */
export const mailboxProviders: readonly MailboxProvider[] = [
  {
    source: 'https://support.google.com/mail/answer/7436150',
    domains: 'gmail.com googlemail.com',
    oneDomain: 'gmail.com',
    ignoresDots: true,
  },
  {
    source:
      'https://learn.microsoft.com/exchange/recipients-in-exchange-online/plus-addressing-in-exchange-online',
    domains: `outlook.com hotmail.com live.com msn.com hotmail.co.uk live.co.uk hotmail.ca hotmail.de outlook.de live.de
      hotmail.fr outlook.fr live.fr hotmail.be live.be hotmail.nl live.nl hotmail.it live.it outlook.it hotmail.es
      outlook.es outlook.pt live.com.pt hotmail.se live.se hotmail.no hotmail.dk live.dk hotmail.fi hotmail.com.br
      outlook.com.br hotmail.com.ar live.com.ar live.com.mx outlook.cl hotmail.co.jp outlook.jp outlook.co.id
      outlook.com.au live.com.au hotmail.com.au hotmail.com.tr outlook.com.tr hotmail.co.il live.co.za`,
  },
  { source: 'https://support.apple.com/en-us/102540', domains: 'icloud.com me.com mac.com' },
  {
    source: 'https://proton.me/support/addresses-and-aliases',
    domains: 'proton.me protonmail.com pm.me protonmail.ch',
    oneDomain: 'proton.me',
  },
  {
    source: 'https://help.zoho.com/portal/en/kb/mail/account-settings/articles/plus-addressing',
    domains: 'zoho.com zoho.eu zoho.in zohomail.com zohomail.eu zohomail.in',
  },
  {
    source: 'https://yandex.com/support/mail/web/preferences/aliases.html',
    domains: 'yandex.ru yandex.com yandex.by yandex.kz yandex.ua yandex.com.tr ya.ru',
    oneDomain: 'yandex.ru',
  },
  {
    source: 'https://www.fastmail.help/hc/en-us/articles/360060591053',
    domains: 'fastmail.com fastmail.fm',
    userSubdomains: true,
  },
];
