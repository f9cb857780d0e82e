import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { startDnsServer, type Zone } from '@verdict/local-stack/start-dns-server.js';

export interface ServiceFigures {
  readonly cpu_us_per_check: number;
  readonly rss_mb_loaded: number;
  readonly rss_mb_under_load: number;
}

const BATCH = 128;
const BATCHES = 3_000;

/** The real process on its own: CPU time per check in batches, and memory, both as the process itself reports them. */
export async function measureService(corpus: readonly string[]): Promise<ServiceFigures> {
  const zone: Zone = { 'canary.net': { mx: [[1, 'mx.canary.net']] } };
  for (const email of corpus) zone[email.slice(email.lastIndexOf('@') + 1)] = { mx: [[1, 'mx.canary.net']] };
  const dns = await startDnsServer(zone);
  const main = fileURLToPath(new URL('../src/main.js', import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: {
      PORT: '18461',
      INTERNAL_PORT: '18462',
      DNS_SERVERS: dns.address,
      DNS_CANARY: 'canary.net',
      DNS_BUDGET_BURST: '10000',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise<void>((resolve) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      if (said.includes('scoring ready')) resolve();
    });
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const bodies = batchesOf(corpus);
  const post = (body: string) => send(agent, '/internal/score', 18461, body);
  try {
    const loaded = await figures(agent);
    for (let index = 0; index < 500; index++) await post(bodies[index % bodies.length] ?? '');
    const before = await figures(agent);
    for (let index = 0; index < BATCHES; index++) await post(bodies[index % bodies.length] ?? '');
    const after = await figures(agent);
    return {
      cpu_us_per_check: ((after.cpuSeconds - before.cpuSeconds) * 1e6) / (BATCHES * BATCH),
      rss_mb_loaded: loaded.rss / 1e6,
      rss_mb_under_load: after.rss / 1e6,
    };
  } finally {
    child.kill('SIGTERM');
    agent.destroy();
    await dns.close();
  }
}

function batchesOf(corpus: readonly string[]): string[] {
  const bodies: string[] = [];
  for (let start = 0; start + BATCH <= corpus.length; start += BATCH) {
    const checks = corpus.slice(start, start + BATCH).map((email) => ({ email, account_id: 'acc_bench' }));
    bodies.push(JSON.stringify({ v: 2, checks }));
  }
  return bodies;
}

async function figures(agent: Agent): Promise<{ cpuSeconds: number; rss: number }> {
  const text = await send(agent, '/metrics', 18462);
  const read = (name: string) => Number(new RegExp(`^${name}\\S* (\\S+)$`, 'm').exec(text)?.[1]);
  return { cpuSeconds: read('process_cpu_seconds_total'), rss: read('process_resident_memory_bytes') };
}

function send(agent: Agent, path: string, port: number, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        port,
        path,
        host: '127.0.0.1',
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json' },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve(text));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
