/** Where and when something happened, so that the recipient can judge whether it was them. */
export interface Occasion {
  readonly at: string;
  readonly ip: string;
}

/** Everything that we write to people, with the facts that each text needs. */
export type Mail =
  /** A registration with this address; `token` proves that its owner reads the mail. */
  | { readonly kind: 'registration'; readonly token: string; readonly occasion: Occasion }
  /** The same for an address that already has an account. */
  | { readonly kind: 'already_registered'; readonly occasion: Occasion }
  | { readonly kind: 'password_reset'; readonly token: string; readonly occasion: Occasion }
  | { readonly kind: 'address'; readonly token: string; readonly occasion: Occasion }
  | { readonly kind: 'new_login'; readonly userAgent: string | null; readonly occasion: Occasion }
  | { readonly kind: 'new_key'; readonly name: string; readonly rolled: boolean; readonly occasion: Occasion }
  | { readonly kind: 'codes_guessed'; readonly occasion: Occasion }
  | { readonly kind: 'password_changed'; readonly occasion: Occasion }
  | { readonly kind: 'email_changed'; readonly occasion: Occasion }
  | { readonly kind: 'second_factor_changed'; readonly on: boolean; readonly occasion: Occasion }
  /** `by` is the address of the member who invites. */
  | { readonly kind: 'invitation'; readonly token: string; readonly by: string; readonly role: string }
  /** A document of a month. `amount` is written out, and null when there is nothing to pay. */
  | ({ readonly kind: 'invoice_issued'; readonly credit: boolean; readonly month: string } & InvoiceFacts)
  | ({ readonly kind: 'invoice_overdue' } & InvoiceFacts)
  /** The account used as much of its plan as it wants to hear about; figures and dates are written out. */
  | {
      readonly kind: 'usage_reached';
      readonly plan: string;
      readonly month: string;
      readonly percent: number;
      readonly used: string;
      readonly quota: string;
      /** Where the checks of the month stop. */
      readonly stop: string;
      readonly resetsOn: string;
    }
  /** Checks began to repeat something, and do so no more. */
  | ({ readonly kind: 'burst_started'; readonly usual: string } & BurstFacts)
  | ({ readonly kind: 'burst_ended' } & BurstFacts);

interface BurstFacts {
  /** The thing that is repeated, such as "network 5.9.12.0/24". */
  readonly what: string;
  readonly checks: string;
  /** "22 allowed, 278 challenged" */
  readonly decided: string;
  /** "14:03 UTC" with its day. */
  readonly since: string;
}

interface InvoiceFacts {
  readonly number: string;
  readonly amount: string | null;
  readonly dueOn: string;
}

export type MailKind = Mail['kind'];

/** How long links are good for, which is also how long their mails are tried to be sent. */
export const LINK_SECONDS = {
  registration: 86_400,
  password_reset: 3_600,
  address: 86_400,
  invitation: 7 * 86_400,
} as const;
/** Links that people ask for themselves. */
export type LinkPurpose = Exclude<keyof typeof LINK_SECONDS, 'invitation'>;

/** After that the mail is useless. */
const NOTICE_SECONDS = 3 * 86_400;
/** An invoice is still worth reading when a mail server was away for a week. */
const INVOICE_SECONDS = 14 * 86_400;

export const lifeSecondsOf = (kind: MailKind): number => {
  if (kind in LINK_SECONDS) return LINK_SECONDS[kind as keyof typeof LINK_SECONDS];
  return kind === 'invoice_issued' || kind === 'invoice_overdue' ? INVOICE_SECONDS : NOTICE_SECONDS;
};
