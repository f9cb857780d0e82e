/** Fewer checks say little: a small site may have its first visitors from one office. */
const CHECKS_MIN = 500;
const SHARE_MIN = 0.95;

/** The address that nearly all checks of the day carry: the customer's own proxy, not the visitors'. Null where there is none. */
export const ownProxy = (
  common: { readonly ip: string; readonly checks: number; readonly among: number } | undefined,
): string | null =>
  common && common.among >= CHECKS_MIN && common.checks >= common.among * SHARE_MIN ? common.ip : null;
