import type { UpdateReport } from '@verdict/datasets/update/update-datasets.js';
import { updateInThread } from '@verdict/datasets/update/update-in-thread.js';
import type { UpdateSettings } from '@verdict/datasets/update/update-settings.js';
import type { Logger } from '@verdict/service-kit/logger.js';

/** One update of the lists. Its result is also in the state beside the releases. */
export async function updateDatasetsOnce(
  settings: UpdateSettings,
  directory: string,
  log: Logger,
): Promise<void> {
  const report = await updateInThread(settings, directory);
  for (const { source, result, reason } of report.sources) {
    if (result === 'failed') log.warn({ source, reason }, 'a source of the datasets was left as it was');
  }
  tell(report, log);
}

function tell({ outcome, release, reason }: UpdateReport, log: Logger): void {
  if (outcome === 'published') log.info({ release }, 'datasets published');
  else if (outcome === 'unchanged') log.info('datasets are as fresh as their sources');
  else if (outcome === 'held') log.warn({ reason }, 'datasets are held, nothing was published');
  else log.error({ reason }, 'new datasets were refused, the old ones stay');
}
