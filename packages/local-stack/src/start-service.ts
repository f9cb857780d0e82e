import { type RunningProcess, startProcess } from '../../../scripts/lib/start-process.mjs';
import { childEnvironment, type Settings } from './child-environment.js';
import { freePort } from './free-port.js';
import { inRoot } from './paths.js';
import { NODE_ARGUMENTS, programFile } from './program.js';
import { startServer } from './start-server.js';

/** In the order of the banner. */
export const SERVICES = ['gateway', 'scoring', 'worker', 'control-plane'] as const;
export type ServiceName = (typeof SERVICES)[number];

export type TestService = Awaited<ReturnType<typeof startService>>;

/** The real process of a service, ready to serve. Without a log it keeps in memory what it prints; `file` is that of another build. */
export async function startService(
  name: ServiceName,
  settings: Settings = {},
  log?: string,
  file = programFile(name),
) {
  const { PORT = await freePort(), INTERNAL_PORT = await freePort() } = settings;
  const own = { ...settings, PORT, INTERNAL_PORT };
  const [url, internalUrl] = [`http://127.0.0.1:${PORT}`, `http://127.0.0.1:${INTERNAL_PORT}`];
  const launch = () => spawnService(name, own, log, file);
  const service = await startServer({ name, launch, isReady: () => isReady(internalUrl) });
  return Object.assign(service, { name, url, internalUrl });
}

/** Without waiting for it: for tests of a start that must fail. */
export function spawnService(
  name: ServiceName,
  settings: Settings,
  log?: string,
  file = programFile(name),
): RunningProcess {
  const env = childEnvironment({ HOST: '127.0.0.1', INTERNAL_HOST: '127.0.0.1', ...settings });
  return startProcess(process.execPath, [...NODE_ARGUMENTS, file], env, { log, cwd: inRoot() });
}

async function isReady(internalUrl: string): Promise<boolean> {
  const response = await fetch(`${internalUrl}/readyz`, { signal: AbortSignal.timeout(2000) });
  await response.arrayBuffer();
  return response.ok;
}
