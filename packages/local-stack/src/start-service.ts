import { childEnvironment, type Settings } from './child-environment.js';
import { freePort } from './free-port.js';
import { inRoot, logOf } from './paths.js';
import { NODE_ARGUMENTS, programFile } from './program.js';
import { startRestartable } from './restartable.js';
import { type ProcessOptions, type RunningProcess, startProcess } from './start-process.js';
import type { Part } from './supervisor.js';
import { whenReady } from './when-ready.js';

export type ServiceName = 'gateway' | 'scoring' | 'worker' | 'control-plane';
export type ServiceEnvironment = Settings;

export type TestService = Awaited<ReturnType<typeof startService>>;

/** The real process of a service, ready to serve. Without a log it keeps in memory what it prints. */
export async function startService(name: ServiceName, settings: ServiceEnvironment = {}, log?: string) {
  const own = { PORT: await freePort(), INTERNAL_PORT: await freePort(), ...settings };
  const service = await startRestartable(async () => {
    const started = spawnService(name, own, log);
    try {
      await whenReady(name, started, () => isReady(own.INTERNAL_PORT));
    } catch (error) {
      await started.kill();
      throw new Error(`${name} did not get ready:\n${started.output()}`, { cause: error });
    }
    return started;
  });
  const [url, internalUrl] = [`http://127.0.0.1:${own.PORT}`, `http://127.0.0.1:${own.INTERNAL_PORT}`];
  return Object.assign(service, { name, url, internalUrl, log });
}

/** Without waiting for it: for tests of a start that must fail. */
export const spawnService = (name: ServiceName, settings: ServiceEnvironment, log?: string): RunningProcess =>
  spawn(name, { LOG_LEVEL: 'info', ...settings }, log === undefined ? {} : { log });

/** The service as `npm start` runs it. */
export function createServicePart(name: ServiceName, settings: ServiceEnvironment): Part {
  const log = logOf(name);
  return {
    name,
    log,
    launch: () => spawn(name, settings, { log, cwd: inRoot() }),
    isReady: () => isReady(settings.INTERNAL_PORT),
  };
}

function spawn(
  name: ServiceName,
  settings: ServiceEnvironment,
  options: ProcessOptions = {},
): RunningProcess {
  const environment = childEnvironment({ HOST: '127.0.0.1', INTERNAL_HOST: '127.0.0.1', ...settings });
  return startProcess(process.execPath, [...NODE_ARGUMENTS, programFile(name)], environment, options);
}

async function isReady(internalPort: string | number | undefined): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${internalPort}/readyz`, {
      signal: AbortSignal.timeout(2000),
    });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
