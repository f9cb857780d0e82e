import { valuesOf } from './settings.js';

/** The meaning of INTERNAL_TOKEN, which names the new and the old token while it is being rotated. */
export interface InternalTokens {
  /** Sent to siblings. */
  readonly sent: string;
  /** Accepted from siblings. */
  readonly accepted: readonly string[];
  /** Derives keys that all processes share: the oldest, because a process that was not restarted yet has no other. */
  readonly shared: string;
}

export function readInternalTokens(setting: string): InternalTokens {
  const accepted = valuesOf(setting);
  return { sent: accepted[0] ?? '', accepted, shared: accepted.at(-1) ?? '' };
}
