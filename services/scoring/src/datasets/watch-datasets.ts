import { type FSWatcher, watch } from 'node:fs';
import { every } from '@verdict/service-kit/every.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { DatasetStore, ReloadResult } from './dataset-store.js';

interface DatasetWatchOptions {
  readonly store: DatasetStore;
  /** Folder whose events are worth a look; none where the data comes over the network. */
  readonly directory: string | undefined;
  readonly pollMs: number;
  readonly log: Logger;
  readonly onResult: (result: ReloadResult) => void;
}

/** Files arrive one after another; the folder is read when it has been quiet for this long. */
const QUIET_MS = 200;

/** Swaps the data when its origin changes: by file events, and by polling where they do not arrive. */
export function watchDatasets({ store, directory, pollMs, log, onResult }: DatasetWatchOptions) {
  let quiet: NodeJS.Timeout | undefined;
  let lastRefusal = '';
  const stopPolling = every(pollMs, look, (error) =>
    log.warn({ error }, 'the datasets could not be looked at'),
  );
  const watcher =
    directory === undefined
      ? undefined
      : startWatcher(directory, log, () => {
          clearTimeout(quiet);
          quiet = setTimeout(() => void look(), QUIET_MS);
        });

  async function look(): Promise<ReloadResult> {
    const result = await store.reload();
    if (result.kind === 'swapped') {
      const { release, versions } = result.snapshot;
      log.info({ release, datasets: versions }, 'datasets exchanged');
    }
    // Bad data stays bad at every look, so it is logged once.
    if (result.kind === 'refused' && result.message !== lastRefusal) {
      log.error({ cause: result.message }, 'datasets refused, the old ones stay');
    }
    lastRefusal = result.kind === 'refused' ? result.message : '';
    onResult(result);
    return result;
  }

  return {
    /** Looks now, as a signal from the operator does. */
    look,
    close() {
      void stopPolling();
      clearTimeout(quiet);
      watcher?.close();
    },
  };
}

function startWatcher(directory: string, log: Logger, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(directory, { persistent: false }, onChange);
    watcher.on('error', (error) =>
      log.warn({ directory, cause: error.message }, 'file events stopped, polling continues'),
    );
    return watcher;
  } catch (error) {
    log.warn({ directory, cause: String(error) }, 'no file events here, polling instead');
    return undefined;
  }
}
