import type { Tracing } from './tracing.js';
import { type TracingSettings, wantsTraces } from './tracing-settings.js';

/** Traces when the environment asks for them. When it does not, nothing of the SDK is even read from the disk. */
export async function loadTracing(
  service: string,
  settings: TracingSettings,
  onTrouble: (message: string) => void,
): Promise<Tracing | null> {
  if (!wantsTraces(settings)) return null;
  const { startTracing } = await import('./start-tracing.js');
  return startTracing(service, settings, onTrouble);
}
