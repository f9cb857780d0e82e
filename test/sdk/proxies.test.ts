import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { promisify } from 'node:util';
import { makeCertificates } from '@verdict/local-stack/make-certificates.js';
import { skipFile } from '@verdict/local-stack/skip-file.js';
import { Verdict } from '@verdict/sdk';
import t from 'tap';
import { getGlobalDispatcher, ProxyAgent, setGlobalDispatcher } from 'undici';
import { findPhp, PHP_CLIENT } from './run-clients.js';

// Requests go through the CONNECT tunnel of a proxy, and the key stays inside it. clients/python/tests does the same for Python.

/** Only the proxy resolves this name. */
const HOST = 'verdict.test';
const API_KEY = 'vrd_live_x';
const ANSWER = JSON.stringify({ success: true, id: 'log_1', decision: 'allow', risk_score: 0, reasons: [] });

const certificates = await makeCertificates(`DNS:${HOST}`).catch(() =>
  skipFile('openssl is not on this machine'),
);
const { certificate, key } = certificates;
const ca = readFileSync(certificate);
const portOf = async (server: Server) => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

const api = createServer({ key: readFileSync(key), cert: ca }, (request, response) => {
  const isKeyed = request.headers['x-api-key'] === API_KEY;
  response.writeHead(isKeyed ? 200 : 401, { 'content-type': 'application/json' }).end(ANSWER);
});
const apiPort = await portOf(api);
const seen: { readonly target: string | undefined; readonly headers: Record<string, unknown> }[] = [];
const proxy = createHttpServer().on('connect', ({ url, headers }, socket, head) => {
  seen.push({ target: url, headers });
  const upstream = connect(apiPort, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.write(head);
    socket.pipe(upstream).pipe(socket);
  });
  for (const end of [socket, upstream]) end.on('error', () => socket.destroy());
});
const proxyUrl = `http://user:secret@127.0.0.1:${await portOf(proxy)}`;
t.teardown(async () => {
  api.close();
  api.closeAllConnections();
  proxy.close();
  proxy.closeAllConnections();
  await certificates.remove();
});

const TUNNEL = {
  target: `${HOST}:443`,
  headers: {
    'proxy-authorization': `Basic ${Buffer.from('user:secret').toString('base64')}`,
    'x-api-key': undefined,
  },
};

t.test('Node: through the dispatcher of the process', async (t) => {
  const before = getGlobalDispatcher();
  t.teardown(() => setGlobalDispatcher(before));
  setGlobalDispatcher(new ProxyAgent({ uri: proxyUrl, requestTls: { ca } }));
  const verdict = new Verdict({
    apiKey: API_KEY,
    baseUrl: `https://${HOST}/api/v1/`,
    timeoutMs: 60_000,
    deadlineMs: 120_000,
  });
  t.equal((await verdict.check('jane@example.com')).decision, 'allow');
  t.match(seen.splice(0), [TUNNEL]);
});

t.test('PHP: curl reads HTTPS_PROXY by itself', async (t) => {
  const php = await findPhp();
  if (!php) return t.comment('SKIPPED: php-cli (8.1 or later) with php-curl is not on this machine');
  const code = `require 'autoload.php';
    $verdict = new Verdict\\Verdict('${API_KEY}', 'https://${HOST}/api/v1/', timeout: 60, deadline: 120);
    echo $verdict->check('jane@example.com')->decision;`;
  const env = { ...process.env, HTTPS_PROXY: proxyUrl, https_proxy: proxyUrl, NO_PROXY: '', no_proxy: '' };
  const { stdout } = await promisify(execFile)(php, ['-d', `curl.cainfo=${certificate}`, '-r', code], {
    cwd: PHP_CLIENT,
    env,
  });
  t.equal(stdout, 'allow');
  t.match(seen.splice(0), [TUNNEL]);
});
