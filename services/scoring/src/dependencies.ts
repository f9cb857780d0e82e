import { SHIPPED_DIR } from '@verdict/datasets/shipped.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { createReadiness } from '@verdict/service-kit/readiness.js';
import { valuesOf } from '@verdict/service-kit/settings.js';
import { createTokenBuckets } from '@verdict/shares/token-buckets.js';
import type { Tracing } from '@verdict/telemetry/tracing.js';
import type { ScoringConfig } from './config.js';
import { createDatasetStore } from './datasets/dataset-store.js';
import { createShippedIpOrigins } from './datasets/shipped-ip-origins.js';
import { startDatasets } from './datasets/start-datasets.js';
import { watchDatasets } from './datasets/watch-datasets.js';
import { type Canary, createCanary } from './dns/canary.js';
import { createMailLookUp } from './dns/look-up-mail.js';
import { createMailDirectory } from './dns/mail-directory.js';
import { createResolverPair } from './dns/resolver-pair.js';
import { createExplainer } from './explain/explain.js';
import { createScoringMetrics } from './metrics.js';
import { createScorer } from './score/scorer.js';

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;

const OWNERS_MAX = 10_000;
/** After the deadline a look-up may still end and be remembered; then its slot is needed for another. */
const LOOK_UP_TIMEOUT_FACTOR = 2;
const HEDGE_AT = 0.4;

export async function createDependencies(config: ScoringConfig, log: Logger, tracing: Tracing | null) {
  const metrics = createScoringMetrics();
  const { first, origin, releases } = await startDatasets(config, log);
  const datasets = createDatasetStore(first, origin);
  metrics.loaded(first);

  const resolvers = createResolverPair({
    servers: valuesOf(config.DNS_SERVERS),
    timeoutMs: config.DNS_DEADLINE_MS * LOOK_UP_TIMEOUT_FACTOR,
    hedgeAfterMs: Math.ceil(config.DNS_DEADLINE_MS * HEDGE_AT),
  });
  const canary: Canary = createCanary({
    resolvers,
    domains: valuesOf(config.DNS_CANARY),
    freshMs: config.DNS_CANARY_FRESH_MS,
    onChange(healthy) {
      metrics.resolverHealthy.set(healthy ? 1 : 0);
      // Health is expected: only the loss of it, and its return, are news.
      if (healthy && canary.lastOpinion() === false) log.info('resolver is healthy, absences are believed');
      if (!healthy) log.warn({ canary: config.DNS_CANARY }, 'resolver is unhealthy, no absence is believed');
    },
  });
  const domainBudget = createTokenBuckets({
    burst: config.DNS_DOMAIN_BURST,
    perSecond: config.DNS_DOMAIN_PER_SECOND,
    ownersMax: OWNERS_MAX,
  });
  const directory = createMailDirectory({
    lookUp: createMailLookUp({ resolvers, canary, domainBudget }),
    domainBudget,
    budget: createTokenBuckets({
      burst: config.DNS_BUDGET_BURST,
      perSecond: config.DNS_BUDGET_PER_SECOND,
      ownersMax: OWNERS_MAX,
    }),
    deadlineMs: config.DNS_DEADLINE_MS,
    concurrency: config.DNS_CONCURRENCY,
    entriesMax: config.DNS_CACHE_MAX,
    onOutcome: (outcome) =>
      metrics.lookUps.inc({ outcome: outcome.kind === 'unknown' ? outcome.cause : outcome.kind }),
  });

  let scorer = createScorer(datasets.current(), directory);
  const datasetWatch = watchDatasets({
    directory: config.DATASETS_URL === undefined ? config.DATASETS_DIR : undefined,
    store: datasets,
    pollMs: config.DATASETS_POLL_MS,
    log,
    onResult(result) {
      metrics.reloads.inc({ result: result.kind });
      if (result.kind !== 'swapped') return;
      scorer = createScorer(result.snapshot, directory);
      metrics.loaded(result.snapshot);
    },
  });
  // Asked once at the start, so that the first absence need not wait for it.
  void canary.isHealthy();

  return {
    log,
    tracing,
    readiness: createReadiness(),
    metrics,
    datasets,
    ipOrigins: createShippedIpOrigins(SHIPPED_DIR, log),
    datasetWatch,
    /** The scorer of the data loaded at this moment; a batch takes it once and keeps it. */
    scorer: () => scorer,
    explainer: createExplainer({
      current: () => scorer,
      scorerOf: (snapshot) => createScorer(snapshot, directory),
      releases,
    }),
    /** Rejects when the canary cannot be resolved: for `/readyz?deep=1` and nothing else. */
    async probeResolver() {
      if (!(await canary.isHealthy())) throw new Error('no canary domain resolves');
    },
    close() {
      datasetWatch.close();
      canary.close();
      resolvers.close();
    },
  };
}
