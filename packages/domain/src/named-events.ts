/** Events that come with single checks or with each change: an endpoint gets them only when it names them. */
const NAMED_EVENTS: ReadonlySet<string> = new Set([
  'check.blocked',
  'review.opened',
  'review.decided',
  'audit.recorded',
]);

export const isNamedEvent = (type: string): boolean => NAMED_EVENTS.has(type);
