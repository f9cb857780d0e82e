import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { createRegistry } from '@verdict/service-kit/registry.js';
import { Counter, Gauge, Histogram } from 'prom-client';

const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Scoring's own figures. */
export function createScoringMetrics() {
  const registry = createRegistry('scoring');
  const registers = [registry];
  let loaded: DatasetSnapshot | undefined;
  new Gauge({
    name: 'verdict_dataset_age_seconds',
    help: 'Age of each loaded dataset, by its version',
    labelNames: ['dataset', 'version'] as const,
    registers,
    collect() {
      this.reset();
      for (const [dataset, { version }] of Object.entries(loaded?.versions ?? {})) {
        this.set({ dataset, version }, (Date.now() - Date.parse(version)) / 1000);
      }
    },
  });
  new Gauge({
    name: 'verdict_dataset_release',
    help: '1 for the release that judges; replicas that differ are in the middle of an exchange',
    labelNames: ['release'] as const,
    registers,
    collect() {
      this.reset();
      this.set({ release: loaded?.release ?? 'shipped' }, 1);
    },
  });
  const entries = new Gauge({
    name: 'verdict_disposable_domains',
    help: 'Entries of the loaded disposable list',
    registers,
  });
  const checks = new Counter({ name: 'verdict_scored_total', help: 'Addresses judged', registers });
  const batches = new Histogram({
    name: 'verdict_score_batch_size',
    help: 'Addresses per batch',
    buckets: BATCH_BUCKETS,
    registers,
  });
  return {
    registry,
    /** The age grows without events, so the loading time is stored and the age computed on request. */
    loaded(snapshot: DatasetSnapshot) {
      loaded = snapshot;
      entries.set(snapshot.disposable.size);
    },
    noteBatch(size: number) {
      checks.inc(size);
      batches.observe(size);
    },
    connections: new Gauge({
      name: 'verdict_score_connections',
      help: 'Open connections for frames; a gateway has one',
      registers,
    }),
    lookUps: new Counter({
      name: 'verdict_mail_lookups_total',
      help: 'Look-ups of mail servers by outcome; those answered from memory are not counted',
      labelNames: ['outcome'] as const,
      registers,
    }),
    resolverHealthy: new Gauge({
      name: 'verdict_resolver_healthy',
      help: '1 when the canary domains resolve; at 0 no absence is believed',
      registers,
    }),
    reloads: new Counter({
      name: 'verdict_dataset_reloads_total',
      help: 'Attempts to exchange the datasets by result',
      labelNames: ['result'] as const,
      registers,
    }),
  };
}
