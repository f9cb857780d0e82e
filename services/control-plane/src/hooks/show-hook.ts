import { API_PREFIX } from '@verdict/contracts/api-paths.js';
import type { HookView } from '@verdict/contracts/dashboard/hooks-api.js';
import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import type { HookRow } from '@verdict/db/hooks/hook-row.js';

/** Below the address of this server. */
export const hookUrl = (id: string): string =>
  `${API_PREFIX}${VALIDATION_ROUTES.receiveHook.path.replace(':id', id)}`;

export const showHook = (row: HookRow): HookView => ({ ...row, url: hookUrl(row.id) });
