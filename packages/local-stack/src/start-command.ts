import { Resolver } from 'node:dns/promises';
import { readdirSync, rmSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { Progress } from '../../../scripts/lib/progress.mjs';
import { banner } from './banner.js';
import { bringUp, type Preparation } from './bring-up.js';
import { Failure } from './failure.js';
import { isPortFree } from './free-port.js';
import { Interrupted, interrupted, listenForInterrupt } from './interrupt.js';
import { inData, PAPERS } from './paths.js';
import { removePostgresData } from './postgres.js';
import { takeRunFile } from './run-file.js';
import { createSupervisor } from './supervisor.js';

export interface StartOptions {
  readonly port: number;
  /** Where the public listener is; everything else stays on loopback. */
  readonly host: string;
  readonly fresh: boolean;
}

const RUN_FILE = 'run.json';

/** Brings everything up, stays in the foreground, and takes everything down again. */
export async function startCommand(
  { port, host, fresh }: StartOptions,
  progress: Progress,
  preparation: Preparation,
): Promise<void> {
  // Leftovers of a killed run go first: they may be what holds the public port.
  const refusal = (pid: number) =>
    `Verdict is already running from this checkout (pid ${pid}); stop it first.`;
  const runFile = await takeRunFile(inData(RUN_FILE), refusal);
  const supervisor = createSupervisor(runFile);
  listenForInterrupt(() => void supervisor.kill().finally(() => process.exit(130)));
  try {
    if (runFile.leftBehind.length > 0)
      progress.say(`  Stopped what an earlier start left running: ${runFile.leftBehind.join(', ')}.`);
    refuseStrangeHost(host);
    await refuseTakenPort(port, host);
    if (fresh) forgetEverything();
    const dns = isDnsAnswering();
    const { account, redisUrl, databaseUrl, scoringUrl, metrics } = await bringUp(
      supervisor,
      progress,
      { port, host },
      preparation,
    );
    const facts = {
      base_url: `http://${reachable(host)}:${port}/api/v1/`,
      email: account.email,
      password: account.password,
      api_key: account.apiKey,
      api_key_id: account.apiKeyId,
      redis_url: redisUrl,
      database_url: databaseUrl,
      scoring_url: scoringUrl,
    };
    supervisor.keepAlive(facts, (text) => progress.say(`  ${new Date().toISOString()}  ${text}`));
    progress.say(
      banner({
        port,
        host: reachable(host),
        shared: !isLoopback(host),
        account,
        metrics,
        isDnsAnswering: await dns,
      }),
    );
    await new Promise((resolve) => {
      if (interrupted.aborted) resolve(null);
      interrupted.addEventListener('abort', resolve);
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    if (interrupted.aborted) progress.say('');
    if (!supervisor.isEmpty()) {
      await progress.step('stopping', async (note) => {
        await supervisor.stop(note);
        note('everything is stopped');
      });
    }
    runFile.remove();
  }
}

const ANY = ['0.0.0.0', '::'];
const isLoopback = (host: string): boolean => /^127\.|^::1$/.test(host);

/** Where this machine itself reaches the public listener. */
function reachable(host: string): string {
  if (ANY.includes(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function refuseStrangeHost(host: string): void {
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
  if (ANY.includes(host) || isLoopback(host) || own.includes(host)) return;
  throw new Failure(`--host ${host} is not an address of this machine; it has ${own.join(', ')}.`);
}

async function refuseTakenPort(port: number, host: string): Promise<void> {
  for (const address of new Set(['127.0.0.1', '::1', host])) {
    if (!(await isPortFree(port, address)))
      throw new Failure(`Port ${port} is taken by another program: choose one with npm start -- --port N.`);
  }
}

function forgetEverything(): void {
  removePostgresData('postgres');
  for (const name of readdirSync(inData()))
    if (name !== RUN_FILE && name !== PAPERS) rmSync(inData(name), { recursive: true, force: true });
}

/** Whether a mail domain that certainly has mail servers is seen to have them from here. */
async function isDnsAnswering(servers = process.env.DNS_SERVERS): Promise<boolean> {
  const resolver = new Resolver({ timeout: 1000, tries: 1 });
  try {
    if (servers) resolver.setServers(servers.split(',').map((server) => server.trim()));
    return (await resolver.resolveMx('gmail.com')).length > 0;
  } catch {
    return false;
  }
}
