import type { Mail, Occasion } from './mail.js';

export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What to click, between the paragraphs and the end. */
  readonly action?: { readonly label: string; readonly link: string };
  readonly end: string;
}

/** Every text that we send. `publicUrl` is where the dashboard is, without a slash at its end. */
export function mailText(mail: Mail, publicUrl: string): MailText {
  const page = (path: string, token?: string) =>
    // After the #, so that no server and no proxy on the way ever logs a token.
    `${publicUrl}${path}${token === undefined ? '' : `#token=${token}`}`;
  const told = toldAbout(mail.occasion);
  switch (mail.kind) {
    case 'registration':
      return {
        subject: 'Confirm your address for Verdict',
        paragraphs: [
          'Somebody, probably you, has registered with this address at Verdict.',
          'Open the link within 24 hours and enter the password that you chose; then the account is yours.',
        ],
        action: { label: 'Confirm the address', link: page('/activate', mail.token) },
        end: `It was not you? Then do nothing: without the password nothing comes of it. ${told}`,
      };
    case 'already_registered':
      return {
        subject: 'You have an account at Verdict already',
        paragraphs: [
          'Somebody, probably you, has tried to register with this address at Verdict. It has an account already, and nothing was changed.',
          `Log in at ${page('/login')}. If you forgot the password, set a new one:`,
        ],
        action: { label: 'Set a new password', link: page('/forgot-password') },
        end: `It was not you? Then do nothing. ${told}`,
      };
    case 'password_reset':
      return {
        subject: 'Set a new password for Verdict',
        paragraphs: [
          'Somebody, probably you, has asked for a new password. The link is good for one hour, and once.',
        ],
        action: { label: 'Set a new password', link: page('/reset-password', mail.token) },
        end: `It was not you? Then do nothing: your password stays as it is. ${told}`,
      };
    case 'address':
      return {
        subject: 'Confirm your address for Verdict',
        paragraphs: ['Open the link within 24 hours to confirm that this address is yours.'],
        action: { label: 'Confirm the address', link: page('/confirm-address', mail.token) },
        end: told,
      };
    case 'new_login':
      return {
        subject: 'New login to Verdict',
        paragraphs: [
          'Somebody has logged in to your account from a device that we have not seen before.',
          `Device: ${mail.userAgent ?? 'unknown'}`,
        ],
        action: { label: 'Look at your sessions', link: page('/account') },
        end: `${told} It was not you? End that session and change your password at once.`,
      };
    case 'new_key':
      return {
        subject: mail.rolled ? 'An API key was rolled' : 'New API key',
        paragraphs: [
          mail.rolled
            ? `The API key "${mail.name}" of your account has a new value.`
            : `Your account has a new API key, "${mail.name}".`,
        ],
        action: { label: 'Look at your keys', link: page('/keys') },
        end: `${told} It was not you? Revoke the key and change your password at once.`,
      };
    case 'codes_guessed':
      return {
        subject: 'Somebody is guessing your login codes',
        paragraphs: [
          'Somebody who knows your password has entered a wrong code of your authenticator app five times. They did not get in.',
        ],
        action: { label: 'Change your password', link: page('/account') },
        end: `${told} It was not you? Change your password now.`,
      };
    case 'password_changed':
      return {
        subject: 'Your password was changed',
        paragraphs: ['The password of your account was changed, and every other session has ended.'],
        end: `${told} It was not you? Set a new password at ${page('/forgot-password')} and tell your operator.`,
      };
    case 'email_changed':
      return {
        subject: 'Your login address was changed',
        paragraphs: ['Your account has a new login address. This address no longer opens it.'],
        end: `${told} Not you? Tell your operator immediately.`,
      };
    case 'second_factor_changed':
      return {
        subject: mail.on ? 'The second factor is on' : 'The second factor is off',
        paragraphs: [
          mail.on
            ? 'From now on a login to your account asks for a code of your authenticator app.'
            : 'A login to your account does not ask for a second factor any more.',
        ],
        action: { label: 'Look at your account', link: page('/account') },
        end: `${told} It was not you? Change your password at once and tell your operator.`,
      };
  }
}

const toldAbout = ({ at, ip }: Occasion): string =>
  `This was at ${at.slice(0, 16).replace('T', ' ')} UTC, from ${ip}.`;
