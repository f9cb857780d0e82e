import type { SealedHookRow } from '@verdict/db/hooks/hook-row.js';
import type { Sealer } from '@verdict/domain/sealed-text.js';
import type { ProjectedHook } from '@verdict/redis-store/projected-hook.js';

/** Null for a hook whose secret no key opens: without it no signature can be verified. */
export type ProjectHook = (row: SealedHookRow) => ProjectedHook | null;

/** Seals the secret for gateways, which do not have the key that Postgres' copy is sealed with. */
export const createHookProjector =
  (stored: Sealer | null, projected: Sealer): ProjectHook =>
  ({ id, kind, key_id: keyId, refuse, on_error: onError, message, secret: sealed }) => {
    const secret = stored?.open(sealed, id) ?? null;
    return secret === null
      ? null
      : { id, kind, keyId, refuse, onError, message, secret: projected.seal(secret, id) };
  };
