/** Checks of a test key are answered and never metered. A key keeps its mode. */
export const KEY_MODES = ['live', 'test'] as const;
export type KeyMode = (typeof KEY_MODES)[number];

export const KEY_STATUSES = ['active', 'inactive', 'revoked'] as const;

export const KEY_SCOPES = ['check', 'jobs', 'lists', 'outcomes', 'policies', 'usage'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The scopes of a key that names none. It checks addresses and cannot change how they are judged. */
export const DEFAULT_SCOPES = ['check', 'jobs', 'usage'] as const satisfies readonly KeyScope[];
