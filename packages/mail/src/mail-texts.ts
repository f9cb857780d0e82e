import type { Mail, Occasion } from './mail.js';

export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The button, between the paragraphs and the end. */
  readonly action?: { readonly label: string; readonly link: string };
  readonly end: string;
}

/** Every text that we send. `publicUrl` is where the dashboard is, without a slash at its end. */
export function mailText(mail: Mail, publicUrl: string): MailText {
  const page = (path: string, token?: string) =>
    // After the #, so that no server and no proxy on the way ever logs a token.
    `${publicUrl}${path}${token === undefined ? '' : `#token=${token}`}`;
  const occasion = 'occasion' in mail ? describeOccasion(mail.occasion) : '';
  switch (mail.kind) {
    case 'registration':
      return {
        subject: 'Confirm your address for Verdict',
        paragraphs: [
          'Confirm this address to finish signing up for Verdict.',
          'Open the link within 24 hours and enter the password you chose.',
        ],
        action: { label: 'Confirm the address', link: page('/activate', mail.token) },
        end: `Not you? Ignore this mail; nothing happens without the password. ${occasion}`,
      };
    case 'already_registered':
      return {
        subject: 'You already have a Verdict account',
        paragraphs: [
          'Somebody, probably you, tried to sign up for Verdict with this address. It already has an account, and nothing changed.',
          `Log in at ${page('/login')}. Forgot the password? Set a new one:`,
        ],
        action: { label: 'Set a new password', link: page('/forgot-password') },
        end: `Not you? Ignore this mail. ${occasion}`,
      };
    case 'password_reset':
      return {
        subject: 'Set a new password for Verdict',
        paragraphs: [
          'Somebody, probably you, asked for a new password. The link works once, within one hour.',
        ],
        action: { label: 'Set a new password', link: page('/reset-password', mail.token) },
        end: `Not you? Ignore this mail; your password stays the same. ${occasion}`,
      };
    case 'address':
      return {
        subject: 'Confirm your address for Verdict',
        paragraphs: ['Open the link within 24 hours to confirm that this address is yours.'],
        action: { label: 'Confirm the address', link: page('/confirm-address', mail.token) },
        end: occasion,
      };
    case 'invitation':
      return invitationText(mail, page('/join', mail.token));
    case 'new_login':
      return {
        subject: 'New login to Verdict',
        paragraphs: [
          'Somebody logged in to your account from a new device.',
          `Device: ${mail.userAgent ?? 'unknown'}`,
        ],
        action: { label: 'Review your sessions', link: page('/settings/account') },
        end: `${occasion} Not you? End that session and change your password immediately.`,
      };
    case 'new_key':
      return newKeyText(mail, page('/developers/keys'), occasion);
    case 'codes_guessed':
      return {
        subject: 'Somebody is guessing your login codes',
        paragraphs: [
          'Somebody who knows your password has entered a wrong code of your authenticator app five times. They did not get in.',
        ],
        action: { label: 'Change your password', link: page('/settings/account') },
        end: `${occasion} Not you? Change your password now.`,
      };
    case 'password_changed':
      return {
        subject: 'Your password was changed',
        paragraphs: ['Your password was changed. Every other session has been logged out.'],
        end: `${occasion} Not you? Set a new password at ${page('/forgot-password')} and tell your operator.`,
      };
    case 'email_changed':
      return {
        subject: 'Your login address was changed',
        paragraphs: ['Your account has a new login address. This address no longer opens it.'],
        end: `${occasion} Not you? Tell your operator immediately.`,
      };
    case 'second_factor_changed':
      return secondFactorText(
        mail.on,
        { label: 'Open your account', link: page('/settings/account') },
        occasion,
      );
    case 'usage_reached':
      return usageText(mail, page('/billing'));
    case 'burst_started':
    case 'burst_ended':
      return burstText(mail, { label: 'Open the Overview', link: page('/') });
    case 'invoice_issued':
    case 'invoice_overdue':
      return invoiceText(mail, { label: 'See your invoices', link: page('/billing') });
  }
}

const secondFactorText = (
  on: boolean,
  action: NonNullable<MailText['action']>,
  occasion: string,
): MailText => ({
  subject: on ? 'Two-factor authentication is on' : 'Two-factor authentication is off',
  paragraphs: [
    on
      ? 'Logging in to your account now requires a code from your authenticator app.'
      : 'Logging in to your account no longer requires a code.',
  ],
  action,
  end: `${occasion} Not you? Change your password immediately and tell your operator.`,
});

const newKeyText = (
  { name, rolled }: Extract<Mail, { kind: 'new_key' }>,
  link: string,
  occasion: string,
): MailText => ({
  subject: rolled ? 'An API key was rolled' : 'New API key',
  paragraphs: [
    rolled
      ? `The API key "${name}" was rolled and has a new value.`
      : `Your account has a new API key, "${name}".`,
  ],
  action: { label: 'Review your keys', link },
  end: `${occasion} Not you? Revoke the key and change your password immediately.`,
});

const invitationText = ({ by, role }: Extract<Mail, { kind: 'invitation' }>, link: string): MailText => ({
  subject: 'You are invited to Verdict',
  paragraphs: [
    `${by} invites you to their Verdict account as ${role}.`,
    'Open the link within 7 days to accept. It works once.',
  ],
  action: { label: 'Accept the invitation', link },
  end: 'Not expecting this? Ignore this mail; nothing happens without you.',
});

const usageText = (mail: Extract<Mail, { kind: 'usage_reached' }>, link: string): MailText => ({
  subject: `${mail.percent}% of the checks of ${mail.month} are used`,
  paragraphs: [
    `Your account has used ${mail.used} of the ${mail.quota} checks that the ${mail.plan} plan includes in ${mail.month}.`,
    `Checks stop at ${mail.stop}. The count starts again on ${mail.resetsOn}, 00:00 UTC.`,
  ],
  action: { label: 'See your plan', link },
  end: 'You asked for this mail under Billing, Plan and invoices.',
});

function burstText(
  mail: Extract<Mail, { kind: 'burst_started' | 'burst_ended' }>,
  action: NonNullable<MailText['action']>,
): MailText {
  const counts = `${mail.checks} checks since ${mail.since}: ${mail.decided}.`;
  const end = 'Turn these mails off under Rules, Scoring.';
  if (mail.kind === 'burst_ended') {
    const paragraphs = [`Checks of ${mail.what} have come down to their usual level.`, counts];
    return { subject: `Repeated sign-ups are over: ${mail.what}`, paragraphs, action, end };
  }
  const paragraphs = [
    `Your account gets far more checks of ${mail.what} than usual. ${mail.usual}`,
    counts,
    'The Overview shows examples, and stops it for 24 hours in two clicks. The mail after this one says that it is over.',
  ];
  return { subject: `Repeated sign-ups: ${mail.what}`, paragraphs, action, end };
}

const INVOICE_END = 'This address receives the invoices of your Verdict account.';

function invoiceText(
  mail: Extract<Mail, { kind: 'invoice_issued' | 'invoice_overdue' }>,
  action: NonNullable<MailText['action']>,
): MailText {
  if (mail.kind === 'invoice_overdue') {
    const paragraphs = [
      `We have not received ${mail.amount} for invoice ${mail.number}, which was due on ${mail.dueOn}. The invoice is attached.`,
      'If you have paid in the meantime, ignore this mail.',
    ];
    return { subject: `Invoice ${mail.number} is overdue`, paragraphs, action, end: INVOICE_END };
  }
  const subject = `${mail.credit ? 'Credit note' : 'Invoice'} ${mail.number}`;
  const paragraphs = [`${subject} for ${mail.month} is attached.`, toPay(mail)];
  return { subject, paragraphs, action, end: INVOICE_END };
}

function toPay({ amount, credit, dueOn }: Extract<Mail, { kind: 'invoice_issued' }>): string {
  if (amount === null) return 'There is nothing to pay.';
  return credit ? `It credits ${amount}.` : `Please pay ${amount} by ${dueOn}.`;
}

const describeOccasion = ({ at, ip }: Occasion): string =>
  `This was at ${at.slice(0, 16).replace('T', ' ')} UTC, from ${ip}.`;
