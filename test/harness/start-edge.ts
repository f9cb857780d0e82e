import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canInstall, installDebianPackage } from '@verdict/local-stack/debian-package.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { freePort } from '@verdict/local-stack/free-port.js';
import { http } from '@verdict/local-stack/http.js';
import { onPath } from '@verdict/local-stack/on-path.js';
import { startProcess } from '@verdict/local-stack/start-process.js';

export interface Edge {
  readonly url: string;
  readonly tlsUrl: string;
  readonly pid: number;
  stop(): Promise<unknown>;
}

interface EdgeOptions {
  /** Where requests go. */
  readonly gateway: string;
  /** Where the edge asks whether it is ready. */
  readonly internal: string;
  /** EDGE_… as Compose gives them. */
  readonly env?: Readonly<Record<string, string>>;
}

const CONFIG = fileURLToPath(new URL('../../../deploy/edge/haproxy.cfg', import.meta.url));

/** Whether this machine has an edge, or gets one as it gets Redis. */
export async function findEdge(): Promise<string | undefined> {
  if (onPath('haproxy') === undefined && canInstall())
    await installDebianPackage('haproxy', 'apt could not install haproxy.').catch(() => undefined);
  return onPath('haproxy') ?? undefined;
}

/** The edge with the configuration that is shipped; only its ports, its patience and the name of the gateways are this machine's. */
export async function startEdge(binary: string, { gateway, internal, env = {} }: EdgeOptions): Promise<Edge> {
  const [plain, tls, operators] = [await freePort(), await freePort(), await freePort()];
  const directory = mkdtempSync(join(tmpdir(), 'verdict-edge-'));
  const config = join(directory, 'haproxy.cfg');
  const [host = '', port = ''] = new URL(gateway).host.split(':');
  const text = readFileSync(CONFIG, 'utf8')
    .replaceAll('bind :8080', `bind 127.0.0.1:${plain}`)
    .replaceAll('bind :8443', `bind 127.0.0.1:${tls}`)
    .replaceAll('bind :8404', `bind 127.0.0.1:${operators}`)
    .replace('check port 9080', `check port ${new URL(internal).port}`)
    // A busy machine lets a gateway miss some of these questions: it is not gone for that.
    .replace(' fall 2 ', ' fall 40 ')
    .replace(/^ {4}server-template .*$/m, `    server gateway ${host}:${port}`);
  writeFileSync(config, text);
  const running = startProcess(binary, ['-db', '-f', config], { ...env });
  const answering = async () => {
    const ended = running.end();
    if (ended) throw new Error(`the edge ended: ${running.output()}`);
    return (await http(`http://127.0.0.1:${operators}/edgez`).catch(() => undefined))?.status === 200;
  };
  try {
    await eventually(answering, { withinMs: 60_000 });
  } catch (error) {
    await running.kill();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${plain}`,
    tlsUrl: `https://127.0.0.1:${tls}`,
    pid: running.pid,
    async stop() {
      await running.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
