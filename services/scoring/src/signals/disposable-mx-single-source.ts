import { mailAt } from '../dns/mail-outcome.js';
import { signal } from './signal.js';

export const disposableMxSingleSource = signal({
  code: 'DISPOSABLE_MX_SINGLE_SOURCE',
  kind: 'hard',
  points: 60,
  why: 'One list names the mail server or its shared IP: a person should look',
  flag: 'disposable_email',
  examples: [
    {
      email: 'jane@quiet-new-front.com',
      mail: mailAt('hi.mail.cx'),
      factors: 'DISPOSABLE_MX_SINGLE_SOURCE 60',
    },
  ],
  ofDomain({ front }) {
    if (front?.known === 'reported')
      return `A single source says that the mail server of this domain (${front.server}) belongs to a disposable service`;
    if (front?.known === 'address')
      return `The mail server of this domain is at an address (${front.server}) that many disposable domains share`;
    return undefined;
  },
});
