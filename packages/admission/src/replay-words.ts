/**
 * The words of an answer, as records of an Idempotency-Key repeat them. deflate finds the nearest words in the fewest bits, so the
 * usual ones come last; a sentence that is missing here costs a record a hundred bytes.
 */
const WORDS = [
  '"UNKNOWN_TLD","points":35,"reason":"Unknown top-level domain"},{"code":"ADDRESS_LITERAL","points":60,"reason":"The address uses an IP address instead of a domain',
  '"},{"code":"HOMOGRAPH","points":85,"reason":"The domain uses look-alike characters to imitate ',
  '"},{"code":"QUOTED_LOCAL","points":25,"reason":"The mailbox name is in quotes, which is unusual',
  '"},{"code":"RESERVED_DOMAIN","points":85,"reason":"The domain is reserved for tests or internal networks and cannot receive email',
  '"},{"code":"NULL_MX","points":85,"reason":"The domain refuses all email (null MX)',
  '"},{"code":"MX_UNROUTABLE","points":50,"reason":"The mail servers of the domain have unreachable addresses',
  '"},{"code":"IMPLICIT_MX","points":35,"reason":"The domain has no MX record, only an address record',
  '"},{"code":"FREE_SUBDOMAIN","points":35,"reason":"The domain is a free sub-domain under ',
  '"},{"code":"DISPOSABLE_DOMAIN_DISPUTED","points":30,"reason":"A single source calls the domain disposable, but its mail is hosted by ',
  '"},{"code":"DISPOSABLE_MX_SINGLE_SOURCE","points":50,"reason":"The mail server of this domain is at an address () that many disposable domains share',
  '"},{"code":"DISPOSABLE_MX_SINGLE_SOURCE","points":50,"reason":"A single source says that the mail server of this domain () belongs to a disposable service',
  '"},{"code":"DISPOSABLE_MX","points":85,"reason":"The mail of this domain is handled by a disposable service (',
  '"},{"code":"UNESTABLISHED_RISKY_ENDING","points":20,"reason":"The ending . is often used for throw-away domains, and no known site is at this one',
  '"},{"code":"RISKY_ENDING","points":14,"reason":"The ending . is often used for throw-away domains',
  '"},{"code":"DOMAIN_NOT_FOUND","points":85,"reason":"The domain does not exist',
  '"},{"code":"NO_MX","points":80,"reason":"The domain has no mail server',
  '"},{"code":"SMS_GATEWAY","points":30,"reason":"The address is a telephone number at a gateway for text messages',
  '"},{"code":"RELAY_DOMAIN","points":20,"reason":"The address belongs to an email relay or alias service',
  '"},{"code":"DISPOSABLE_DOMAIN_SINGLE_SOURCE","points":80,"reason":"Disposable email domain detected (single source)',
  '"},{"code":"DISPOSABLE_DOMAIN","points":90,"reason":"Disposable email domain detected (operated by ',
  '"},{"code":"LIKELY_TYPO","points":45,"reason":"The domain looks mistyped: did you mean ?',
  '"},{"code":"NO_REPLY","points":35,"reason":"No-reply mailbox',
  '"},{"code":"RANDOM_LOCAL","points":10,"reason":"The mailbox name looks randomly generated',
  '"},{"code":"ROLE_ACCOUNT","points":15,"reason":"The mailbox is a role such as info or support, not a person',
  '"},{"code":"DNS_INDETERMINATE","points":10,"reason":"The mail servers could not be checked',
  '"},{"code":"PLUS_TAG","points":5,"reason":"The mailbox name carries a +tag"}],',
  '"datasets":{"disposable_domains":{"count":,"version":"2026-"},"free_providers":{"version":"2026-"},"role_prefixes":{"version":"2026-"}}}',
  '","decision":"challenge"}","decision":"block"}","decision":"review"}',
  '{"ids":["log_01K"],"people":[""],"verdicts":[{"risk_score":0,"signals":{"disposable_email":true,"mx_valid":false,"free_provider":true},"extra":{"role_account":true,"no_reply":true,"relay":true,"sms_gateway":true,"mx_unknown":true,"plus_tag":true,"alias":true,"suggestion":"',
  '{"disposable_email":false,"mx_valid":true,"free_provider":false},"extra":{"role_account":false,"no_reply":false,"relay":false,"sms_gateway":false,',
  '"mx_unknown":false,"plus_tag":false,"alias":false,"suggestion":null},"factors":[{"code":"FREE_PROVIDER","points":5,"reason":"The address uses a free consumer email provider',
  '"}],"datasets":"2026-11-/2026-11-/2026-11-","decision":"allow"}],"at":[0]}',
];

/** The words of records that an earlier build left less than a day ago. */
const EARLIER = [
  '"Disposable email domain detected","The domain has no mail server","The domain does not exist"',
  '"The mailbox name looks randomly generated","The mailbox is a role such as info or support, not a person"',
  '"The mailbox name carries a +tag","The address uses a free consumer email provider"',
  '"The look-up of the mail servers did not complete","Looks like a mistyped, did you mean ?"',
  '"DISPOSABLE_DOMAIN","NO_MX","DOMAIN_NOT_FOUND","RANDOM_LOCAL","ROLE_ACCOUNT","PLUS_TAG"',
  '"DNS_INDETERMINATE","FREE_PROVIDER"},"datasets":{"disposable_domains":{"count":,"version":"2026-"},',
  '"free_providers":{"version":"2026-"},"role_prefixes":{"version":"2026-"}}}',
  '{"ids":["log_01K"],"people":[""],"verdicts":[{"risk_score":0,"signals":{"disposable_email":false,',
  '"mx_valid":true,"free_provider":false},"extra":{"role_account":false,"no_reply":false,"relay":false,',
  '"mx_unknown":false,"plus_tag":false,"suggestion":null},"factors":[{"code":"","points":10,"reason":"',
  '"}],"datasets":"2026-11-/2026-11-/2026-11-"}],"at":[0]}',
].join('');
const EARLIER_DECISIONS =
  '","decision":"allow"}","decision":"challenge"}","decision":"block"}","decision":"review"}';

/** The first character of a record names its dictionary. Change `WORDS` together with `MARK`, and keep the old words for a day. */
export const MARK = '3';
export const DICTIONARIES: Readonly<Record<string, Buffer>> = {
  [MARK]: Buffer.from(WORDS.join('')),
  2: Buffer.from(EARLIER_DECISIONS + EARLIER),
  1: Buffer.from(EARLIER),
};
