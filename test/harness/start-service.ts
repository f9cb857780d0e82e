import { fileURLToPath } from 'node:url';
import { eventually } from '@verdict/local-stack/eventually.js';
import { freePort } from '@verdict/local-stack/free-port.js';
import { type ProcessEnd, type RunningProcess, startProcess } from '@verdict/local-stack/start-process.js';
import { http } from './http.js';
import { NODE_ARGUMENTS } from './node-arguments.js';

export type ServiceName = 'gateway' | 'scoring' | 'worker' | 'control-plane';
export type ServiceEnvironment = Readonly<Record<string, string | number | undefined>>;

export interface TestService {
  readonly name: ServiceName;
  readonly url: string;
  readonly internalUrl: string;
  readonly pid: number;
  /** Everything this instance printed since it was last started. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<ProcessEnd>;
  /** With the same ports and environment. */
  restart(): Promise<void>;
  stop(): Promise<ProcessEnd>;
  readonly exited: Promise<ProcessEnd>;
}

/** Only a bound: a machine that builds something else meanwhile takes ten times as long as one that does not. */
const READY_WITHIN_MS = 120_000;

/** The real process of a service, ready to serve. */
export async function startService(
  name: ServiceName,
  settings: ServiceEnvironment = {},
): Promise<TestService> {
  const ports = { PORT: await freePort(), INTERNAL_PORT: await freePort(), ...settings };
  const internalUrl = `http://127.0.0.1:${ports.INTERNAL_PORT}`;
  let running = await launch();

  async function launch(): Promise<RunningProcess> {
    const started = spawnService(name, ports);
    await waitUntilReady(name, internalUrl, started);
    return started;
  }

  return {
    name,
    url: `http://127.0.0.1:${ports.PORT}`,
    internalUrl,
    get pid() {
      return running.pid;
    },
    get exited() {
      return running.exited;
    },
    output: () => running.output(),
    signal: (signal) => running.signal(signal),
    kill: () => running.kill(),
    async restart() {
      if (!running.end()) await running.stop();
      running = await launch();
    },
    async stop() {
      return running.end() ?? running.stop();
    },
  };
}

/** Without waiting for it: for tests of a start that must fail. */
export function spawnService(name: ServiceName, settings: ServiceEnvironment): RunningProcess {
  const loopback = { HOST: '127.0.0.1', INTERNAL_HOST: '127.0.0.1' };
  const environment: NodeJS.ProcessEnv = { ...process.env, ...loopback, LOG_LEVEL: 'info' };
  for (const [key, value] of Object.entries(settings)) {
    if (value === undefined) delete environment[key];
    else environment[key] = String(value);
  }
  return startProcess(process.execPath, [...NODE_ARGUMENTS, entryOf(name)], environment);
}

/** From test/dist/harness to the compiled service. */
const entryOf = (name: ServiceName): string =>
  fileURLToPath(new URL(`../../../services/${name}/dist/src/main.js`, import.meta.url));

async function waitUntilReady(
  name: ServiceName,
  internalUrl: string,
  started: RunningProcess,
): Promise<void> {
  try {
    await eventually(
      async () => started.end() ?? ((await http(`${internalUrl}/readyz`)).status === 200 && 'ready'),
      { withinMs: READY_WITHIN_MS },
    );
  } catch (error) {
    await started.kill();
    throw new Error(`${name} did not get ready:\n${started.output()}`, { cause: error });
  }
  if (started.end()) throw new Error(`${name} ended instead of getting ready:\n${started.output()}`);
}
