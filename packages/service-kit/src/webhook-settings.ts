import { Type } from 'typebox';

/** Settings on which the control plane, which accepts endpoints, and the worker, which calls them, must agree. */
export const WEBHOOK_SETTINGS = {
  WEBHOOK_PRIVATE_HOSTS: Type.String({
    default: '',
    description:
      'Hosts, separated by commas, that webhooks and single sign-on may reach in private ranges and without TLS',
  }),
  WEBHOOK_LOOPBACK: Type.Union([Type.Literal('never'), Type.Literal('allowed')], {
    default: 'never',
    description:
      'allowed: webhook endpoints and identity providers may be on this machine; for development only',
  }),
};
