import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { makeCertificates } from '@verdict/local-stack/make-certificates.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t, { type Test } from 'tap';
import { startHttpServer } from '../harness/start-http-server.js';
import { findEdge, startEdge } from './start-edge.js';

/** Behind a proxy that ends TLS all clients were one address: fifty wrong logins of one locked everybody out. */
const binary = await findEdge();
const skip = binary === undefined && 'no haproxy here';
/** Later than the next question would be, so often that a gateway would be out. */
const [LATE_MS, LATE_ANSWERS] = [800, 4];

interface Seen {
  readonly headers: Readonly<Record<string, string>>;
}

/** In place of a gateway: says what arrived. */
async function startMirror(t: Test) {
  const server = await startHttpServer((request, response) => {
    const body = JSON.stringify({ headers: request.headers });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
  t.teardown(() => server.stop());
  return server.url;
}

interface Saying {
  /** Address that the client has; all of 127.0.0.0/8 is this machine. */
  readonly from?: string;
  /** Said before TLS and HTTP. */
  readonly preface?: string;
  readonly authority?: string;
  readonly path?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

async function ask(
  url: string,
  { from = '127.0.0.1', preface = '', authority, path = '/', headers = [], body }: Saying,
) {
  const { hostname, port, protocol } = new URL(url);
  const plain = connectTcp({ host: hostname, port: Number(port), localAddress: from });
  await new Promise((resolve, reject) => plain.once('connect', resolve).once('error', reject));
  plain.write(preface);
  const socket =
    protocol === 'https:'
      ? connectTls({ socket: plain, ca: authority && readFileSync(authority), host: hostname })
      : plain;
  const head = [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'host: localhost',
    'connection: close',
    ...headers,
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${body.length}`]),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`);
  let text = '';
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.once('end', resolve).once('error', reject).once('close', resolve);
  });
  const [answerHead = '', ...rest] = text.split('\r\n\r\n');
  const json = rest.join('\r\n\r\n');
  return {
    status: Number(answerHead.split(' ')[1] ?? 0),
    head: answerHead,
    seen: () => JSON.parse(json) as Seen,
  };
}

t.test('what a client says about its own address is not believed', { skip }, async (t) => {
  const mirror = await startMirror(t);
  const edge = await startEdge(binary ?? '', { gateway: mirror, internal: mirror });
  t.teardown(() => edge.stop());
  const headers = [
    'x-forwarded-for: 192.0.2.66',
    'x-forwarded-proto: https',
    'forwarded: for=192.0.2.66',
    'x-real-ip: 192.0.2.66',
    'x-forwarded-host: evil.example',
  ];
  for (const from of ['127.0.0.2', '127.0.0.3']) {
    const { seen } = await ask(edge.url, { from, headers });
    t.equal(seen().headers['x-forwarded-for'], from);
    t.equal(seen().headers['x-forwarded-proto'], 'http');
    t.notMatch(JSON.stringify(seen()), /192\.0\.2\.66|evil/);
  }
});

t.test('the edge counts its answers for the alerts, those of its own included', { skip }, async (t) => {
  const mirror = await startMirror(t);
  const edge = await startEdge(binary ?? '', { gateway: mirror, internal: mirror });
  t.teardown(() => edge.stop());
  await ask(edge.url, { from: '127.0.0.2' });
  const { text } = await http(`${edge.operatorsUrl}/metrics`);
  t.match(text, /^haproxy_frontend_http_responses_total\{proxy="public",code="2xx"\} 1$/m);
  t.match(text, /^haproxy_frontend_http_responses_total\{proxy="public",code="5xx"\} 0$/m);
});

t.test('a gateway that says late that it is ready stays in use', { skip }, async (t) => {
  let asked = 0;
  const server = await startHttpServer(async (request, response) => {
    if (request.url === '/readyz') {
      asked += 1;
      await delay(LATE_MS);
    }
    response.writeHead(200, { 'content-length': 0 }).end();
  });
  t.teardown(() => server.stop());
  const edge = await startEdge(binary ?? '', { gateway: server.url, internal: server.url, fall: 2 });
  t.teardown(() => edge.stop());
  await eventually(() => asked >= LATE_ANSWERS);
  await eventually(async () => (await ask(edge.url, {})).status === 200);
});

t.test('a balancer that is trusted names the client, and nobody else can', { skip }, async (t) => {
  const mirror = await startMirror(t);
  const edge = await startEdge(binary ?? '', {
    gateway: mirror,
    internal: mirror,
    env: { EDGE_TRUSTED: '127.0.0.9 10.0.0.0/8' },
  });
  t.teardown(() => edge.stop());
  const headers = ['x-forwarded-for: 192.0.2.66, 198.51.100.7', 'x-forwarded-proto: https'];
  const behind = (await ask(edge.url, { from: '127.0.0.9', headers })).seen();
  t.equal(behind.headers['x-forwarded-for'], '198.51.100.7', 'the one that the balancer added');
  t.equal(behind.headers['x-forwarded-proto'], 'https');
  const around = (await ask(edge.url, { from: '127.0.0.8', headers })).seen();
  t.equal(around.headers['x-forwarded-for'], '127.0.0.8');
  t.equal(around.headers['x-forwarded-proto'], 'http');
  const silent = (await ask(edge.url, { from: '127.0.0.9' })).seen();
  t.equal(silent.headers['x-forwarded-for'], '127.0.0.9');
});

t.test(
  'a balancer that speaks the PROXY protocol names the client; without it nothing is served',
  { skip },
  async (t) => {
    const mirror = await startMirror(t);
    const certificates = await makeCertificates();
    t.teardown(() => certificates.remove());
    const { file, remove } = inOneFile(certificates);
    t.teardown(remove);
    const edge = await startEdge(binary ?? '', {
      gateway: mirror,
      internal: mirror,
      env: { EDGE_PROXY_PROTOCOL: 'on', EDGE_TLS: 'on', EDGE_CERTIFICATE: file },
    });
    t.teardown(() => edge.stop());
    const preface = 'PROXY TCP4 198.51.100.8 127.0.0.1 40000 443\r\n';
    const { seen } = await ask(edge.tlsUrl, { preface, authority: certificates.certificate });
    t.equal(seen().headers['x-forwarded-for'], '198.51.100.8');
    t.equal(seen().headers['x-forwarded-proto'], 'https');
    t.equal((await ask(edge.url, {}).catch(() => ({ status: 0 }))).status, 0);
  },
);

t.test('TLS ends at the edge; the plain port only points there', { skip }, async (t) => {
  const mirror = await startMirror(t);
  const certificates = await makeCertificates();
  t.teardown(() => certificates.remove());
  const { file, remove } = inOneFile(certificates);
  t.teardown(remove);
  const edge = await startEdge(binary ?? '', {
    gateway: mirror,
    internal: mirror,
    env: { EDGE_TLS: 'on', EDGE_CERTIFICATE: file },
  });
  t.teardown(() => edge.stop());
  const { status, seen } = await ask(edge.tlsUrl, { authority: certificates.certificate, from: '127.0.0.4' });
  t.equal(status, 200);
  t.equal(seen().headers['x-forwarded-proto'], 'https', 'so that the gateway sends HSTS');
  t.equal(seen().headers['x-forwarded-for'], '127.0.0.4');
  const plain = await ask(edge.url, { path: '/api/v1/status/', headers: ['x-api-key: secret'] });
  t.equal(plain.status, 308);
  t.match(plain.head, /location: https:\/\/localhost\/api\/v1\/status\//i);
});

t.test('the certificate for trying out is made by the entry point', { skip }, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'verdict-entry-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  // In place of haproxy: shows what it would have been started with.
  writeFileSync(
    join(directory, 'haproxy'),
    '#!/bin/sh\nopenssl x509 -in "$EDGE_CERTIFICATE" -noout -ext subjectAltName\necho "tls $EDGE_TLS"\n',
    {
      mode: 0o755,
    },
  );
  const script = readFileSync(inRoot('deploy/edge/entrypoint.sh'), 'utf8');
  const entry = join(directory, 'edge');
  writeFileSync(entry, script.replaceAll('/tmp/', `${directory}/`), { mode: 0o755 });
  const env = { PATH: `${directory}:${process.env.PATH ?? ''}` };
  const shown = execFileSync(entry, {
    env: { ...env, EDGE_TLS: 'self-signed', EDGE_NAME: 'verdict.test' },
  }).toString();
  t.match(shown, /DNS:verdict\.test, IP Address:127\.0\.0\.1/);
  t.match(shown, 'tls on');
});

t.test('wrong logins of one client behind the edge lock out that client alone', { skip }, async (t) => {
  const stack = await startStack({
    workers: 0,
    env: {
      gateway: { TRUST_PROXY: 'loopback' },
      'control-plane': {
        TRUST_PROXY: 'loopback',
        LOGIN_FAILURES_PER_ADDRESS: 3,
        LOGIN_FAILURES_PER_ACCOUNT: 1_000,
      },
    },
  });
  t.teardown(() => stack.stop());
  const [gateway] = stack.gateways;
  if (!gateway) throw new Error('no gateway');
  const edge = await startEdge(binary ?? '', { gateway: gateway.url, internal: gateway.internalUrl });
  t.teardown(() => edge.stop());
  const logIn = (from: string, password: string) =>
    ask(edge.url, {
      from,
      path: '/api/v1/auth/jwt/create/',
      body: JSON.stringify({ email: stack.email, password }),
    });
  for (let i = 0; i < 4; i++) await logIn('127.0.0.2', `wrong ${i} wrong`);
  t.equal((await logIn('127.0.0.2', stack.password)).status, 429);
  t.equal((await logIn('127.0.0.3', stack.password)).status, 200);
});

function inOneFile({ certificate, key }: { certificate: string; key: string }) {
  const directory = mkdtempSync(join(tmpdir(), 'verdict-pem-'));
  const file = join(directory, 'edge.pem');
  writeFileSync(file, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'), { mode: 0o600 });
  return { file, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
