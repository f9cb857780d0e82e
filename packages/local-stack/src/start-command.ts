import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { Failure } from '../../../scripts/lib/failure.mjs';
import type { Progress } from '../../../scripts/lib/progress.mjs';
import { ANY, isLoopback, type parseStartOptions } from '../../../scripts/lib/start-options.mjs';
import { banner } from './banner.js';
import { bringUp } from './bring-up.js';
import { interrupt, interrupted, listenForInterrupt } from './interrupt.js';
import { writeJson } from './json-file.js';
import { keepAlive } from './keep-alive.js';
import { inData, PAPERS } from './paths.js';
import { removePostgresData } from './postgres.js';
import type { RunningServer } from './start-server.js';

/** Traffic first, then what serves it, then the queue's consumer, and the stores last: nothing accepted is lost. */
const STOP_ORDER = ['gateway', 'scoring', 'control-plane', 'worker', 'redis', 'postgres'];

/** Brings everything up, stays in the foreground, and takes everything down again. */
export async function startCommand(
  { port, host, fresh }: ReturnType<typeof parseStartOptions>,
  progress: Progress,
): Promise<void> {
  const stackFile = inData('stack.json');
  const servers: RunningServer[] = [];
  listenForInterrupt();
  const interruption = once(interrupted, 'abort').then(() => Promise.reject(interrupted.reason));
  interruption.catch(() => undefined); // heard below, unless something else fails first
  try {
    rmSync(stackFile, { force: true });
    if (fresh) forgetEverything();
    const dns = isDnsAnswering();
    const up = bringUp(servers, progress, { PORT: port, HOST: host });
    const { metrics, ...facts } = await Promise.race([up, interruption]);
    const site = `http://${reachable(host)}:${port}/`;
    const publish = () =>
      writeJson(stackFile, {
        base_url: `${site}api/v1/`,
        ...facts,
        processes: Object.fromEntries(servers.map(({ name, pid }) => [name, pid])),
      });
    publish();
    for (const server of servers) {
      void keepAlive(server, (text) => {
        publish();
        progress.say(`  ${new Date().toISOString()}  ${text}`);
      });
    }
    const notes = [
      ...((await dns) ? [] : ['DNS unreachable: mail servers are not being checked; everything else is.']),
      ...(isLoopback(host)
        ? []
        : ['Other machines reach it too, and without TLS: put a proxy before it that has it.']),
    ];
    progress.say(banner(site.replace('127.0.0.1', 'localhost'), facts, metrics, notes));
    await interruption;
  } catch (error) {
    if (error !== interrupted.reason) throw error;
  } finally {
    if (interrupted.aborted) progress.say('');
    interrupt(); // what is still starting stops
    rmSync(stackFile, { force: true });
    if (servers.length > 0) await progress.step('stopping', (note) => stopAll(servers, note));
  }
}

async function stopAll(servers: readonly RunningServer[], note: (detail: string) => void): Promise<void> {
  const late: string[] = [];
  for (const server of STOP_ORDER.flatMap((name) => servers.filter((one) => one.name === name))) {
    note(server.name);
    await server.stop().catch((error: Error) => late.push(error.message));
  }
  if (late.length > 0) throw new Failure(late.join(' '));
  note('everything is stopped');
}

/** Where this machine itself reaches the public listener. */
function reachable(host: string): string {
  if (ANY.includes(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function forgetEverything(): void {
  removePostgresData('postgres');
  for (const name of readdirSync(inData()))
    if (name !== 'start.sock' && name !== PAPERS) rmSync(inData(name), { recursive: true, force: true });
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
