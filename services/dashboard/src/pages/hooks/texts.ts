import type { HookKind, HookOutcome } from '@verdict/contracts/hook-kinds.js';

/** Words that the page and the panel share. */
export const HOOKS_TEXTS = {
  title: 'Hooks',
  create: 'Create hook',
  refuses: 'Refuses',
  onError: 'Without a verdict',
};

export const KIND_NAMES: Record<HookKind, string> = {
  supabase: 'Supabase',
  workos: 'WorkOS',
  kratos: 'Ory Kratos',
  auth0: 'Auth0',
  clerk: 'Clerk',
  generic: 'Your own server',
};

/** Where the URL and the secret go. */
export const KIND_STEPS: Record<HookKind, string> = {
  supabase: 'Authentication > Hooks > Before User Created. Paste the URL and the secret.',
  workos: 'Authentication > Actions > User registration. Paste the URL, then set the secret of WorkOS here.',
  kratos:
    'Add a web_hook after registration with response.parse and the secret as API key. The guide has the file.',
  auth0: 'Create a pre-user-registration Action from the guide. Put the URL and the secret in its secrets.',
  clerk: 'Webhooks > Add endpoint > user.created. Then set the signing secret of Clerk here.',
  generic: 'Sign your request as Standard Webhooks describes and read “refuse” in the answer.',
};

/** Limits of a hook at its provider. */
export const KIND_LIMITS: Partial<Record<HookKind, string>> = {
  auth0: 'Auth0 asks for database and passwordless connections, not for social logins.',
  clerk: 'Clerk calls after the sign-up, so Verdict can only report.',
};

export const ON_ERROR_NAMES = { allow: 'Allow', refuse: 'Refuse' } as const;

export const OUTCOME_NAMES: Record<HookOutcome, string> = {
  allowed: 'allowed',
  refused: 'refused',
  no_address: 'no address',
  invited: 'invited',
  other_event: 'other event',
  malformed: 'malformed address',
  quota_exceeded: 'over quota',
  rate_limited: 'too many',
  key_unusable: 'key unusable',
  unavailable: 'outage',
};
