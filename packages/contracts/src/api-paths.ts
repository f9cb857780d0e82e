/** Paths that clients, the gateway and the control plane must agree on. */
export const API_PREFIX = '/api/v1';

export const CHECK_PATH = `${API_PREFIX}/check/`;
export const STATUS_PATH = `${API_PREFIX}/status/`;
export const USAGE_PATH = `${API_PREFIX}/usage/`;
export const OPENAPI_PATH = `${API_PREFIX}/openapi.json`;

/** What the gateway forwards to the control plane, unread. */
export const CONTROL_PLANE_PREFIXES = [
  `${API_PREFIX}/auth`,
  `${API_PREFIX}/dashboard`,
  `${API_PREFIX}/lists`,
  `${API_PREFIX}/billing`,
  `${API_PREFIX}/operator`,
] as const;

/** Where a 429 sends the customer; fixed by the public contract. */
export const UPGRADE_URL = `${API_PREFIX}/billing/subscription/`;
