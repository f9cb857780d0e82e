import type { WebhookDelivery, WebhookEndpoint, WebhookEventType } from '../../api/webhooks.ts';

export const WEBHOOKS_TEXTS = {
  title: 'Webhooks',
  intro:
    'Signed POST requests when something happens, retried until delivered. They carry ids and numbers, never addresses.',
  add: 'Add endpoint',
  endpoints: 'Endpoints',
  endpointsNote: (max: number) => `URLs that receive events, at most ${max}.`,
  loading: 'Loading endpoints',
  failed: 'Could not load the endpoints',
  empty: 'No endpoints yet',
  emptyText: 'Add an https URL of yours that accepts POST requests. Its signing secret is shown once.',
  full: (max: number) => `All ${max} endpoints are in use. Delete one to add another.`,
  url: 'Endpoint',
  events: 'Events',
  status: 'Status',
  created: 'Added (UTC)',
  actions: 'Actions',
  failing: 'failing',
  actionsOf: (url: string) => `Actions for ${url}`,
  test: 'Send a test',
  edit: 'Edit',
  roll: 'Roll secret',
  replay: 'Replay events',
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete endpoint',
  seeDeliveries: 'See its deliveries',
  testSent: 'Test sent',
  disabled: 'Endpoint disabled',
  disabledText: 'It receives nothing. Pending deliveries were dropped.',
  enabled: 'Endpoint enabled',
  enabledText: 'It receives new events. Replay events to catch up.',
  deleted: 'Endpoint deleted',
  actFailed: 'The endpoint did not change',
};

/** The state of an endpoint, with the reason when Verdict disabled it. */
const ENDPOINT_STATES: Record<string, string> = {
  enabled: 'enabled',
  user: 'disabled',
  gone: 'disabled: it answered 410',
  failing: 'disabled: five days of failures',
};

export const stateOf = ({ status, disabled_reason: reason }: WebhookEndpoint): string =>
  ENDPOINT_STATES[status === 'enabled' ? 'enabled' : (reason ?? 'user')] ?? 'disabled';

/** Events an endpoint can subscribe to, in the order of the form. */
export const EVENT_TEXTS: Record<WebhookEventType, string> = {
  'quota.warning': '80% or 90% of the month’s checks used',
  'quota.exceeded': 'Over quota',
  'job.completed': 'Bulk job completed',
  'job.paused': 'Bulk job paused',
  'job.failed': 'Bulk job failed',
  'key.created': 'Key created',
  'key.rolled': 'Key rolled',
  'key.revoked': 'Key revoked',
  'statement.closed': 'Statement issued',
  'invoice.issued': 'Invoice or credit note issued',
  'plan.changed': 'Plan changed',
  'policy.changed': 'Policy changed',
  'check.blocked': 'Check blocked (high volume)',
};

export const ENDPOINT_TEXTS = {
  addTitle: 'Add an endpoint',
  editTitle: 'Edit the endpoint',
  url: 'URL',
  urlHint: 'Starts with https://. Redirects are not followed.',
  description: 'Note (optional)',
  descriptionHint: 'The receiver, such as “Billing, production”.',
  events: 'Events',
  submitAdd: 'Add endpoint',
  submitEdit: 'Save changes',
  saved: 'Endpoint saved',
};

export const SECRET_TEXTS = {
  title: 'Store this secret now',
  text: 'Your receiver verifies signatures with it. It is not shown again.',
  label: 'Secret of the endpoint',
  stored: 'I have stored it',
  old: 'Messages also carry a signature of the old secret until',
  oldEnded: 'The old secret has stopped working.',
};

export const ROLL_TEXTS = {
  title: 'Roll the secret',
  text: 'Creates a new secret. Messages carry both signatures for the time you choose, so you can switch over.',
  overlap: 'Keep signing with the old secret for',
  submit: 'Roll secret',
};

export const REPLAY_TEXTS = {
  title: 'Replay events',
  text: 'Sends every event of the period again, including delivered ones. Messages keep their webhook-id, so your receiver can skip duplicates.',
  from: 'From (UTC)',
  to: 'To (UTC)',
  submit: 'Replay events',
  queued: (events: string) => `Sending ${events}`,
  none: 'No events in this period',
};

export const DELETE_TEXTS = {
  title: 'Delete the endpoint',
  consequence:
    'It receives nothing from now on. Pending deliveries are dropped and its delivery log is removed. You cannot undo this.',
  label: 'URL of the endpoint',
};

export const DELIVERIES_TEXTS = {
  title: 'Deliveries',
  note: 'Newest first, kept for 90 days.',
  loading: 'Loading deliveries',
  failed: 'Could not load the deliveries',
  empty: 'Nothing sent yet',
  emptyText: 'Choose “Send a test” at an endpoint to see a delivery arrive.',
  noMatch: 'No matching deliveries',
  noMatchText: 'Try fewer filters.',
  clear: 'Clear filters',
  endpoint: 'Endpoint',
  anyEndpoint: 'Any endpoint',
  status: 'Status',
  anyStatus: 'Any status',
  event: 'Event',
  anyEvent: 'Any event',
  answer: 'Response',
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
  failed: 'Could not load the delivery',
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
  head: 'Start of the response',
  body: 'Message',
  retry: 'Send again',
  retried: 'Sending again',
  retryFailed: 'Could not send it',
};
