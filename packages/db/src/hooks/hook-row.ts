import { HOOK_KINDS, REFUSABLE } from '@verdict/contracts/hook-kinds.js';
import { columnsOf, list, oneOf, type RowOf, text } from '../database/columns.js';

/** Terms of a sign-up hook. */
const HookTermsRow = {
  id: text,
  kind: oneOf(...HOOK_KINDS),
  key_id: text,
  refuse: list(oneOf(...REFUSABLE)),
  on_error: oneOf('allow', 'refuse'),
  message: text,
};

export const HookRow = columnsOf('hook');
export type HookRow = RowOf<typeof HookRow>;

/** With its secret, as Postgres keeps it. */
export const SealedHookRow = { ...HookTermsRow, secret: text };
export type SealedHookRow = RowOf<typeof SealedHookRow>;
