import type { WebhookDelivery, WebhookEndpoint, WebhookEventType } from '../../api/webhooks.ts';

export const WEBHOOKS_TEXTS = {
  title: 'Webhooks',
  intro:
    'Be told when something happens instead of asking. Messages are signed, sent again until they arrive, and hold ids and figures, never an address.',
  add: 'Add endpoint',
  endpoints: 'Endpoints',
  endpointsNote: (max: number) => `Where messages go. At most ${max}.`,
  loading: 'Loading endpoints',
  failed: 'The endpoints could not be loaded',
  empty: 'No endpoint yet',
  emptyText:
    'An endpoint is an address of yours that takes POST requests over https and answers 2xx. Its secret is shown once, when it is added.',
  full: (max: number) => `All ${max} endpoints are taken. Delete one to add another.`,
  url: 'Endpoint',
  events: 'Events',
  status: 'Status',
  created: 'Added (UTC)',
  actions: 'Actions',
  failing: 'failing',
  actionsOf: (url: string) => `Actions for ${url}`,
  test: 'Send a test',
  edit: 'Change',
  roll: 'Roll secret',
  replay: 'Send events again',
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete endpoint',
  seeDeliveries: 'See its deliveries',
  testSent: 'A test is on its way',
  disabled: 'The endpoint is disabled',
  disabledText: 'It gets nothing, and what was on its way is given up.',
  enabled: 'The endpoint is enabled',
  enabledText: 'It gets what happens from now on. Send events again for what it missed.',
  deleted: 'The endpoint is deleted',
  actFailed: 'The endpoint did not change',
};

/** By word; why, where it was not the user. */
const ENDPOINT_STATES: Record<string, string> = {
  enabled: 'enabled',
  user: 'disabled',
  gone: 'disabled: it answered 410',
  failing: 'disabled: five days without a success',
};

export const stateOf = ({ status, disabled_reason: reason }: WebhookEndpoint): string =>
  ENDPOINT_STATES[status === 'enabled' ? 'enabled' : (reason ?? 'user')] ?? 'disabled';

/** What an endpoint can be told of, in the order in which it is offered. */
export const EVENT_TEXTS: Record<WebhookEventType, string> = {
  'quota.warning': '80 or 90 percent of the month are used',
  'quota.exceeded': 'The checks of the month are used up',
  'job.completed': 'A bulk job has finished',
  'job.paused': 'A bulk job waits for you or for checks',
  'job.failed': 'A bulk job cannot be finished',
  'key.created': 'A key was made',
  'key.rolled': 'A key has a new value',
  'key.revoked': 'A key was ended for good',
  'statement.closed': 'A month was closed',
  'plan.changed': 'Another plan is in force',
  'check.blocked': 'A check was decided block: may be many',
};

export const ENDPOINT_TEXTS = {
  addTitle: 'Add an endpoint',
  editTitle: 'Change the endpoint',
  url: 'URL',
  urlHint: 'Begins with https://. A redirect is not followed.',
  description: 'Note (optional)',
  descriptionHint: 'What receives it, such as “Billing, production”.',
  events: 'Events',
  submitAdd: 'Add endpoint',
  submitEdit: 'Save changes',
  saved: 'The endpoint is changed',
};

export const SECRET_TEXTS = {
  title: 'Store this secret now',
  text: 'Your receiver verifies signatures with it. It is shown this once.',
  label: 'Secret of the endpoint',
  stored: 'I have stored it',
  old: 'Messages also carry a signature of the old secret until',
  oldEnded: 'The old secret has ended.',
};

export const ROLL_TEXTS = {
  title: 'Roll the secret',
  text: 'A new secret is made. For the time you choose every message carries signatures of both, so that the receiver can be changed over.',
  overlap: 'The old secret signs for',
  submit: 'Roll secret',
  cancel: 'Keep the secret',
};

export const REPLAY_TEXTS = {
  title: 'Send events again',
  text: 'Every event of the time is sent to this endpoint, those too that arrived before. Messages keep their webhook-id, so a receiver that remembers ids does nothing twice.',
  from: 'From (UTC)',
  to: 'To (UTC)',
  submit: 'Send again',
  queued: (events: string) => `${events} on their way`,
  none: 'No event in this time',
};

export const DELETE_TEXTS = {
  title: 'Delete the endpoint',
  consequence:
    'It gets nothing from the moment you confirm, what is on its way is given up, and the log of its deliveries is removed. This cannot be undone.',
  label: 'URL of the endpoint',
};

export const DELIVERIES_TEXTS = {
  title: 'Deliveries',
  note: 'Newest first. Kept for 90 days.',
  loading: 'Loading deliveries',
  failed: 'The deliveries could not be loaded',
  empty: 'Nothing was sent yet',
  emptyText: 'Choose “Send a test” at an endpoint to see a message arrive.',
  noMatch: 'No delivery fits',
  noMatchText: 'Try fewer filters.',
  clear: 'Clear filters',
  endpoint: 'Endpoint',
  anyEndpoint: 'Any endpoint',
  status: 'Status',
  anyStatus: 'Any status',
  event: 'Event',
  anyEvent: 'Any event',
  answer: 'Answer',
  attempts: 'Attempts',
  when: 'Created (UTC)',
  goneEndpoint: 'deleted',
};

export const DELIVERY_STATES: Record<WebhookDelivery['status'], string> = {
  pending: 'pending',
  delivered: 'delivered',
  failed: 'failed',
};

export const DELIVERY_TEXTS = {
  loading: 'Loading the delivery',
  failed: 'The delivery could not be loaded',
  facts: 'Facts',
  status: 'Status',
  endpoint: 'Endpoint',
  next: 'Next attempt (UTC)',
  finished: 'Finished (UTC)',
  created: 'Created (UTC)',
  id: 'Delivery',
  event: 'webhook-id',
  attempts: 'Attempts',
  noAttempt: 'None yet.',
  took: (ms: string) => `${ms} ms`,
  answered: (status: number) => `answered ${status}`,
  noAnswer: 'no answer',
  head: 'The first bytes of the answer',
  body: 'Message',
  retry: 'Send it again',
  retried: 'It is on its way again',
  retryFailed: 'It was not sent',
};
