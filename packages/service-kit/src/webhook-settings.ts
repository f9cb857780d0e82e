import { Type } from 'typebox';

/** What the control plane, which takes endpoints, and the worker, which reaches them, must agree on. */
export const WEBHOOK_SETTINGS = {
  WEBHOOK_PRIVATE_HOSTS: Type.String({
    default: '',
    description:
      'Hosts, separated by commas, at which webhook endpoints may be in private ranges and without TLS',
  }),
  WEBHOOK_LOOPBACK: Type.Union([Type.Literal('never'), Type.Literal('allowed')], {
    default: 'never',
    description: 'allowed: webhook endpoints may be on this machine; for development only',
  }),
};
