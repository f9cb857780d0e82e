/** The providers whose sign-up hooks Verdict answers. */
export const HOOK_KINDS = ['supabase', 'workos', 'kratos', 'auth0', 'clerk', 'generic'] as const;
export type HookKind = (typeof HOOK_KINDS)[number];

/** Decisions that a hook may refuse. */
export const REFUSABLE = ['challenge', 'review', 'block'] as const;
export type Refusable = (typeof REFUSABLE)[number];

/** Why a hook answered as it did. */
export const HOOK_OUTCOMES = [
  'allowed',
  'refused',
  'no_address',
  'invited',
  'other_event',
  'malformed',
  'quota_exceeded',
  'rate_limited',
  'key_unusable',
  'unavailable',
] as const;
export type HookOutcome = (typeof HOOK_OUTCOMES)[number];

/** The tag of a hook's checks: logs name the hook, and usage counts it apart. */
export const hookTag = ({ kind, id }: { readonly kind: string; readonly id: string }): string =>
  `hook:${kind}:${id}`;

/** One sentence for every refusal: another one for each reason would tell attackers which address gets through. */
export const HOOK_MESSAGE = 'This address cannot be used to sign up. Please use another one.';
