import type { CommonIp } from '@verdict/db/accounts/own-proxies.js';

/** Fewer checks say little: a small site may have its first visitors from one office. */
export const PROXY_CHECKS_MIN = 500;
const SHARE_MIN = 0.95;

/** Nearly all checks carry it: it is the customer's own proxy, not a visitor. */
export const isOwnProxy = ({ checks, among }: CommonIp): boolean => checks >= among * SHARE_MIN;

/** The address that nearly all checks of the day carry. Null where there is none. */
export const ownProxy = (common: CommonIp | undefined): string | null =>
  common && common.among >= PROXY_CHECKS_MIN && isOwnProxy(common) ? common.ip : null;
