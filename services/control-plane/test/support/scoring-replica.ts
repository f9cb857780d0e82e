import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import type { Test } from 'tap';

const version = '2026-11-01';
const ALLOWED = {
  release: version,
  datasets: {
    disposable_domains: { count: 1, version },
    free_providers: { version },
    role_prefixes: { version },
  },
  decision: 'allow',
  risk_score: 0,
  signals: { disposable_email: false, mx_valid: true, free_provider: false },
  extra: sampleVerdict({}).extra,
  factors: [],
  evidence: [],
};

/**
 * Starts a scoring replica that explains an address as `explain` says, over an address that is allowed, and finds
 * `network` behind every IP. `asked` has an address, or the path of another question, for each request.
 */
export async function startScoringReplica(
  t: Test,
  explain: (email: string) => Partial<Record<keyof typeof ALLOWED, unknown>>,
  network?: object,
) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { email = '' } = (await json(request)) as { email?: string };
    response.setHeader('content-type', 'application/json');
    asked.push(email || String(request.url));
    if (request.url === '/internal/ips') return response.end(JSON.stringify({ networks: [network] }));
    return response.end(JSON.stringify({ ...ALLOWED, email, ...explain(email) }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
