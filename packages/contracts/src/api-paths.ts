/** Paths that clients, the gateway and the control plane must agree on. */
export const API_PREFIX = '/api/v1';

export const CHECK_PATH = `${API_PREFIX}/check/`;
export const CHECK_BATCH_PATH = `${API_PREFIX}/check/batch/`;
/** A check by a guest of the front page. */
export const TRY_PATH = `${API_PREFIX}/try/`;
export const STATUS_PATH = `${API_PREFIX}/status/`;
export const USAGE_PATH = `${API_PREFIX}/usage/`;
export const JOBS_PATH = `${API_PREFIX}/jobs/`;
export const OPENAPI_PATH = `${API_PREFIX}/openapi.json`;
/** Whether a gateway answers, for monitors that have no key. */
export const HEALTH_PATH = '/health';
/** Where people look for documentation, and the page of the web application that has it. */
export const DOCS_PATH = '/docs';

/** Paths that the gateway forwards to the control plane without reading them. */
export const CONTROL_PLANE_PREFIXES = [
  `${API_PREFIX}/auth`,
  `${API_PREFIX}/dashboard`,
  `${API_PREFIX}/lists`,
  `${API_PREFIX}/members`,
  `${API_PREFIX}/outcomes`,
  `${API_PREFIX}/policies`,
  `${API_PREFIX}/billing`,
  `${API_PREFIX}/operator`,
  `${API_PREFIX}/webhooks`,
  `${API_PREFIX}/jobs`,
] as const;

/** Bodies of the control plane are small but for these. */
export const FORWARDED_BODY_BYTES_MAX = 16 * 1024;
export const IMPORT_BYTES_MAX = 1024 * 1024;
export const POLICY_BYTES_MAX = 64 * 1024;
/** Users with many identities have large payloads. */
export const HOOK_BODY_BYTES_MAX = 64 * 1024;
export const LARGE_BODIES = [
  { path: `${API_PREFIX}/lists/allow/import/`, bytesMax: IMPORT_BYTES_MAX },
  { path: `${API_PREFIX}/lists/block/import/`, bytesMax: IMPORT_BYTES_MAX },
  { path: `${API_PREFIX}/outcomes/`, bytesMax: IMPORT_BYTES_MAX },
  { path: `${API_PREFIX}/policies/`, bytesMax: POLICY_BYTES_MAX },
  { path: `${API_PREFIX}/policies/try/`, bytesMax: POLICY_BYTES_MAX },
] as const;

/** The upload of a bulk job to JOBS_PATH, streamed because it may have a hundred megabytes. */
export const UPLOAD_BYTES_MAX = 100 * 1024 * 1024;

/** Where a 429 sends the customer; fixed by the public contract. */
export const UPGRADE_URL = `${API_PREFIX}/billing/subscription/`;
