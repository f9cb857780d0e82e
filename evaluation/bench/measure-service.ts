import { Agent, request } from 'node:http';
import { startDnsServer, type Zone } from '@verdict/local-stack/start-dns-server.js';
import { startService } from '@verdict/local-stack/start-service.js';

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
  const scoring = await startService('scoring', {
    DNS_SERVERS: dns.address,
    DNS_CANARY: 'canary.net',
    DNS_BUDGET_BURST: 10_000,
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const bodies = batchesOf(corpus);
  const post = (body: string) => send(agent, `${scoring.url}/internal/score`, body);
  try {
    const metrics = () => send(agent, `${scoring.internalUrl}/metrics`);
    const loaded = readFigures(await metrics());
    for (let index = 0; index < 500; index++) await post(bodies[index % bodies.length] ?? '');
    const before = readFigures(await metrics());
    for (let index = 0; index < BATCHES; index++) await post(bodies[index % bodies.length] ?? '');
    const after = readFigures(await metrics());
    return {
      cpu_us_per_check: ((after.cpuSeconds - before.cpuSeconds) * 1e6) / (BATCHES * BATCH),
      rss_mb_loaded: loaded.rss / 1e6,
      rss_mb_under_load: after.rss / 1e6,
    };
  } finally {
    agent.destroy();
    await scoring.stop();
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

function readFigures(text: string): { cpuSeconds: number; rss: number } {
  const read = (name: string) => Number(new RegExp(`^${name}\\S* (\\S+)$`, 'm').exec(text)?.[1]);
  return { cpuSeconds: read('process_cpu_seconds_total'), rss: read('process_resident_memory_bytes') };
}

function send(agent: Agent, url: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        agent,
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
