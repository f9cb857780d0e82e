import { readState, type UpdateState } from '@verdict/datasets/update/update-state.js';
import type { MetricsRegistry } from '@verdict/service-kit/registry.js';
import { Gauge } from 'prom-client';

/**
 * Metrics of the list sources, from the state that the last updating worker wrote. Without a folder for releases there
 * are none.
 */
export function createDatasetMetrics(registry: MetricsRegistry, directory: string | undefined): void {
  const registers = [registry];
  const state = async (): Promise<UpdateState | undefined> =>
    directory === undefined ? undefined : readState(directory);
  const bySource = ['source'] as const;
  new Gauge({
    name: 'verdict_dataset_source_age_seconds',
    help: 'Since a source of the lists last answered with something that could be used',
    labelNames: bySource,
    registers,
    async collect() {
      this.reset();
      const sources = (await state())?.sources ?? {};
      for (const [source, { good_at, failure }] of Object.entries(sources)) {
        const since = good_at ?? failure?.since;
        if (since !== undefined) this.set({ source }, (Date.now() - Date.parse(since)) / 1000);
      }
    },
  });
  new Gauge({
    name: 'verdict_dataset_source_failed',
    help: '1 for a source of the lists whose last answer was not used',
    labelNames: bySource,
    registers,
    async collect() {
      this.reset();
      const sources = (await state())?.sources ?? {};
      for (const [source, { failure }] of Object.entries(sources)) {
        this.set({ source }, failure === undefined ? 0 : 1);
      }
    },
  });
  new Gauge({
    name: 'verdict_dataset_update_refused',
    help: '1 when the last update of the lists was refused as a whole',
    registers,
    async collect() {
      const known = await state();
      if (known !== undefined) this.set(known.last?.outcome === 'refused' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'verdict_dataset_updates_held',
    help: '1 while updates are held because an older release was asked for',
    registers,
    async collect() {
      const known = await state();
      if (known !== undefined) this.set(known.held_since === undefined ? 0 : 1);
    },
  });
  new Gauge({
    name: 'verdict_dataset_update_age_seconds',
    help: 'Since the last update of the lists ended, whatever came of it',
    registers,
    async collect() {
      const last = (await state())?.last;
      if (last !== undefined) this.set((Date.now() - Date.parse(last.at)) / 1000);
    },
  });
}
