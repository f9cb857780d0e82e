/** An address that passed `parseEmail`. */
export interface EmailAddress {
  /** As sent, without surrounding white space: what is echoed to the caller. */
  readonly text: string;
  /** As sent, with its quotes if it had any. */
  readonly local: string;
  /** Lower-case A-labels (punycode), or the literal with its brackets. */
  readonly domain: string;
  /** The same domain as people read it. */
  readonly unicodeDomain: string;
  /** The local part is a quoted string. */
  readonly quoted: boolean;
  /** The domain is an address literal such as [192.0.2.1]. */
  readonly literal: boolean;
  /** One spelling per mailbox, for matching against lists: lower case, NFC, no needless quotes. */
  readonly canonical: string;
}
