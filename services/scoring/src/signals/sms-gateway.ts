import { signal } from './signal.js';

export const smsGateway = signal({
  code: 'SMS_GATEWAY',
  kind: 'soft',
  points: 30,
  why: 'A phone number, not a mailbox; mail arrives as a text message',
  flag: 'sms_gateway',
  examples: [
    {
      email: '5551234567@vtext.com',
      mail: { kind: 'mx', hosts: ['mx.vtext.com'], addresses: [], routable: true },
      factors: 'SMS_GATEWAY 30',
    },
  ],
  ofDomain: ({ domain, datasets }) =>
    datasets.smsGateways.has(domain)
      ? 'The address is a telephone number at a gateway for text messages'
      : undefined,
});
