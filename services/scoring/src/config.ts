import { SHIPPED_DIR } from '@verdict/datasets/shipped.js';
import { readConfig } from '@verdict/service-kit/config.js';
import { Count, DNS_SETTING, DRAIN_SETTING, Port } from '@verdict/service-kit/settings.js';
import { TRACING_SETTINGS } from '@verdict/telemetry/tracing-settings.js';
import { type Static, Type } from 'typebox';

export const ScoringConfigSchema = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', description: 'Address of the listener for gateways' }),
  PORT: Port(8081, 'Port for gateways'),
  INTERNAL_HOST: Type.String({ default: '127.0.0.1', description: 'Address of the internal listener' }),
  INTERNAL_PORT: Port(9081, 'Port of /livez, /readyz and /metrics'),
  LOG_LEVEL: Type.String({ default: 'info', description: 'pino level' }),
  ...DRAIN_SETTING,
  DATASETS_DIR: Type.String({
    default: SHIPPED_DIR,
    description: 'Folder of releases, or a folder with manifest.json and its lists',
  }),
  DATASETS_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'Address of releases instead of a folder; requires DATASETS_PUBLIC_KEY',
    }),
  ),
  DATASETS_PUBLIC_KEY: Type.Optional(
    Type.String({
      minLength: 16,
      description: 'Public Ed25519 keys that verify releases, separated by commas',
    }),
  ),
  DATASETS_POLL_MS: Count(10_000, 'How often to look for new lists'),
  DATASETS_FETCH_TIMEOUT_MS: Count(30_000, 'Deadline for one file of a release'),
  ...DNS_SETTING,
  DNS_DEADLINE_MS: Count(300, 'Deadline of a look-up'),
  DNS_CONCURRENCY: Count(256, 'Concurrent look-ups'),
  DNS_CACHE_MAX: Count(20_000, 'Cached domains'),
  DNS_CANARY: Type.String({
    default: 'gmail.com,outlook.com,yahoo.com',
    minLength: 1,
    description: 'Domains that certainly have mail servers; if none resolves, absences are ignored',
  }),
  DNS_CANARY_FRESH_MS: Count(30_000, 'How long a result of the canary is valid'),
  DNS_BUDGET_BURST: Count(500, 'Burst of new domains per account'),
  DNS_BUDGET_PER_SECOND: Count(50, 'New domains per second and account'),
  DNS_DOMAIN_BURST: Count(50, 'Burst of look-ups per registrable domain, over all accounts'),
  DNS_DOMAIN_PER_SECOND: Count(5, 'Look-ups per second below one registrable domain'),
  ...TRACING_SETTINGS,
});
export type ScoringConfig = Readonly<Static<typeof ScoringConfigSchema>>;

export const loadConfig = (): ScoringConfig =>
  readConfig(ScoringConfigSchema, process.env, unbelievableDatasets);

/** Lists decide who is blocked, so lists from a network must be signed. */
export function unbelievableDatasets({ DATASETS_URL, DATASETS_PUBLIC_KEY }: ScoringConfig): string[] {
  return DATASETS_URL !== undefined && DATASETS_PUBLIC_KEY === undefined
    ? ['DATASETS_URL needs DATASETS_PUBLIC_KEY (verdict datasets keygen makes a pair)']
    : [];
}
