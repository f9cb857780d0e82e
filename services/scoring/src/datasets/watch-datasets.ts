import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { DatasetStore, ReloadResult } from './dataset-store.js';
import { MANIFEST_FILE } from './manifest.js';

export interface DatasetWatch {
  /** Looks now, as a signal from the operator does. */
  look(): Promise<ReloadResult>;
  close(): void;
}

interface DatasetWatchOptions {
  readonly directory: string;
  readonly store: DatasetStore;
  readonly pollMs: number;
  readonly log: Logger;
  readonly onResult: (result: ReloadResult) => void;
}

/** Files arrive one after another; the folder is read when it has been quiet for this long. */
const QUIET_MS = 200;

/** Exchanges the data when the manifest changes: by file events, and by polling where events do not arrive. */
export function watchDatasets({
  directory,
  store,
  pollMs,
  log,
  onResult,
}: DatasetWatchOptions): DatasetWatch {
  let quiet: NodeJS.Timeout | undefined;
  let lastRefusal = '';
  const poll = setInterval(() => void lookIfChanged(), pollMs);
  const watcher = startWatcher(directory, log, () => {
    clearTimeout(quiet);
    quiet = setTimeout(() => void lookIfChanged(), QUIET_MS);
  });

  async function lookIfChanged(): Promise<void> {
    const manifest = await readFile(join(directory, MANIFEST_FILE)).catch(() => undefined);
    if (manifest === undefined || fingerprint(manifest) === store.current().fingerprint) return;
    await look();
  }

  async function look(): Promise<ReloadResult> {
    const result = await store.reload();
    if (result.kind === 'swapped') log.info({ datasets: result.snapshot.versions }, 'datasets exchanged');
    // A bad folder stays bad at every look; once is loud enough.
    if (result.kind === 'refused' && result.message !== lastRefusal) {
      log.error({ directory, cause: result.message }, 'datasets refused, the old ones stay');
    }
    lastRefusal = result.kind === 'refused' ? result.message : '';
    onResult(result);
    return result;
  }

  return {
    look,
    close() {
      clearInterval(poll);
      clearTimeout(quiet);
      watcher?.close();
    },
  };
}

function startWatcher(directory: string, log: Logger, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(directory, { persistent: false }, onChange);
    watcher.on('error', (error) =>
      log.warn({ directory, cause: error.message }, 'file events stopped, polling goes on'),
    );
    return watcher;
  } catch (error) {
    log.warn({ directory, cause: String(error) }, 'no file events here, polling instead');
    return undefined;
  }
}

function fingerprint(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
