import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@verdict/local-stack/free-port.js';
import { http } from '@verdict/local-stack/http.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { startServer } from '@verdict/local-stack/start-server.js';
import { startProcess } from '../../scripts/lib/start-process.mjs';
import { findProgram } from '../../scripts/lib/system-programs.mjs';

interface EdgeOptions {
  /** Where requests go. */
  readonly gateway: string;
  /** Where the edge asks whether the gateway is ready. */
  readonly internal: string;
  /** So many missed questions take a gateway out, instead of more than a busy machine misses. */
  readonly fall?: number;
  /** EDGE_… as Compose sets them. */
  readonly env?: Readonly<Record<string, string>>;
}

const CONFIG = inRoot('deploy/edge/haproxy.cfg');

export const findEdge = async (): Promise<string | undefined> =>
  (await findProgram(['haproxy'], 'haproxy').catch(() => null)) ?? undefined;

/** Starts the edge with the configuration that we ship; only ports, patience and the gateways are this machine's. */
export async function startEdge(binary: string, { gateway, internal, fall = 40, env = {} }: EdgeOptions) {
  const [plain, tls, operators] = [await freePort(), await freePort(), await freePort()];
  const directory = mkdtempSync(join(tmpdir(), 'verdict-edge-'));
  const config = join(directory, 'haproxy.cfg');
  const text = readFileSync(CONFIG, 'utf8')
    .replaceAll('bind :8080', `bind 127.0.0.1:${plain}`)
    .replaceAll('bind :8443', `bind 127.0.0.1:${tls}`)
    .replaceAll('bind :8404', `bind 127.0.0.1:${operators}`)
    .replace('check port 9080', `check port ${new URL(internal).port}`)
    // On a busy machine a gateway misses some of these questions and is still alive.
    .replace(' fall 2 ', ` fall ${fall} `)
    .replace(/^ {4}server-template .*$/m, `    server gateway ${new URL(gateway).host}`);
  writeFileSync(config, text);
  const isReady = async () =>
    (await http(`http://127.0.0.1:${operators}/edgez`).catch(() => undefined))?.status === 200;
  const launch = () => startProcess(binary, ['-db', '-f', config], { ...env });
  const running = await startServer({ name: 'the edge', launch, isReady });
  return {
    url: `http://127.0.0.1:${plain}`,
    tlsUrl: `https://127.0.0.1:${tls}`,
    operatorsUrl: `http://127.0.0.1:${operators}`,
    pid: running.pid,
    async stop() {
      await running.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
