import type { KeyScope } from '@verdict/domain/key-words.js';

export type Scope = KeyScope;

/** Terms that the step holds a secret to; null or absent where there are none. */
export interface CredentialTerms {
  /** When a rolled secret ends. */
  readonly endsMicros?: number | null;
  /** When the key itself does. */
  readonly expiresMicros?: number | null;
  /** Checks a month. */
  readonly quota?: number | null;
  /** First and last address of each network that it may come from, as hexadecimal digits. */
  readonly from?: readonly (readonly [string, string])[] | null;
  readonly scopes?: readonly Scope[] | null;
  /** Of a test key: its checks a second, which are the only limit that it has. */
  readonly testRate?: number | null;
}

/**
 * The text that the step finds under a credential: `active`, `inactive`, `until:<microseconds>` for a rolled secret,
 * or JSON for a key with limits. Most have none, so most are read without parsing.
 */
export function credentialStatus(active: boolean, terms: CredentialTerms = {}): string {
  if (!active) return 'inactive';
  const { endsMicros, expiresMicros, quota, from, scopes, testRate } = terms;
  const own = {
    ...(expiresMicros != null && { expires: expiresMicros }),
    ...(quota != null && { quota }),
    ...(from != null && { from }),
    ...(testRate != null && { test: testRate }),
    ...(scopes != null && { scopes: Object.fromEntries(scopes.map((scope) => [scope, true])) }),
  };
  if (Object.keys(own).length > 0)
    return JSON.stringify({ ...own, ...(endsMicros != null && { ends: endsMicros }) });
  return endsMicros == null ? 'active' : `until:${endsMicros}`;
}
