import { parentPort, workerData } from 'node:worker_threads';
import { updateDatasets } from './update-datasets.js';
import { type UpdateSettings, updateOptions } from './update-settings.js';

const { settings, directory } = workerData as { settings: UpdateSettings; directory: string };
parentPort?.postMessage(await updateDatasets(updateOptions(settings, directory)));
