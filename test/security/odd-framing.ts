import { http } from '@verdict/local-stack/http.js';
import type { OpenStack } from '@verdict/local-stack/open-stack.js';
import { startService } from '@verdict/local-stack/start-service.js';
import type { Test } from 'tap';
import { startHttpProxy } from '../harness/start-http-proxy.js';
import { JSON_TYPE, sayAndReadAll } from './raw-http.js';
import { findEdge, startEdge } from './start-edge.js';

/**
 * A request hidden in another one, and everything else that two servers may read differently: whatever the edge makes of it
 * and whatever the gateway does, the control plane never sees the hidden one, nothing becomes a failure of ours, and every
 * refusal is JSON.
 */
const HIDDEN = '/api/v1/dashboard/hidden/';
const hidden = `GET ${HIDDEN} HTTP/1.1\r\nhost: x\r\n\r\n`;
const LOGIN = 'POST /api/v1/auth/jwt/create/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
const STATUS = 'GET /api/v1/status/ HTTP/1.1\r\n';
const chunked = `transfer-encoding: chunked\r\n\r\n`;
const hiddenBody = `0\r\n\r\n${hidden}`;

const FRAMING: Readonly<Record<string, string>> = {
  'length and chunks, the length is shorter': `${LOGIN}content-length: 4\r\n${chunked}${hiddenBody}`,
  'length and chunks, the length covers all': `${LOGIN}content-length: ${hiddenBody.length}\r\n${chunked}${hiddenBody}`,
  'chunks and length': `${LOGIN}transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n${hiddenBody}`,
  'a coding that is not chunked': `${LOGIN}content-length: ${hiddenBody.length}\r\ntransfer-encoding: xchunked\r\n\r\n${hiddenBody}`,
  'a space before the colon': `${LOGIN}content-length: ${hiddenBody.length}\r\ntransfer-encoding : chunked\r\n\r\n${hiddenBody}`,
  'a tab before the coding': `${LOGIN}content-length: ${hiddenBody.length}\r\ntransfer-encoding:\tchunked\r\n\r\n${hiddenBody}`,
  'a vertical tab before the coding': `${LOGIN}content-length: ${hiddenBody.length}\r\ntransfer-encoding: \u000bchunked\r\n\r\n${hiddenBody}`,
  'chunked, then identity': `${LOGIN}content-length: ${hiddenBody.length}\r\ntransfer-encoding: chunked, identity\r\n\r\n${hiddenBody}`,
  'two codings in two fields': `${LOGIN}transfer-encoding: identity\r\ntransfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n${hiddenBody}`,
  'a coding on a folded line': `${LOGIN}content-length: ${hiddenBody.length}\r\ntransfer-encoding:\r\n chunked\r\n\r\n${hiddenBody}`,
  'a coding behind a bare line feed': `${LOGIN}content-length: ${hiddenBody.length}\r\nx: y\ntransfer-encoding: chunked\r\n\r\n${hiddenBody}`,
  'a coding behind a bare carriage return': `${LOGIN}content-length: ${hiddenBody.length}\r\nx: y\rtransfer-encoding: chunked\r\n\r\n${hiddenBody}`,
  'two lengths that differ': `${LOGIN}content-length: 0\r\ncontent-length: ${hidden.length}\r\n\r\n${hidden}`,
  'two lengths in one field': `${LOGIN}content-length: 0, ${hidden.length}\r\n\r\n${hidden}`,
  'a length with a sign': `${LOGIN}content-length: +${hidden.length}\r\n\r\n${hidden}`,
  'a negative length': `${LOGIN}content-length: -1\r\n\r\n${hidden}`,
  'a hexadecimal length': `${LOGIN}content-length: 0x${hidden.length.toString(16)}\r\n\r\n${hidden}`,
  'a length that overflows': `${LOGIN}content-length: 18446744073709551616\r\n\r\n${hidden}`,
  'a length with a space inside': `${LOGIN}content-length: 1 0\r\n\r\n${hidden}`,
  'an empty length': `${LOGIN}content-length:\r\n\r\n${hidden}`,
  'a GET with a body that is a request': `GET /api/v1/auth/settings/ HTTP/1.1\r\nhost: x\r\ncontent-length: ${hidden.length}\r\n\r\n${hidden}`,
  'a chunk size with 0x': `${LOGIN}${chunked}0x2\r\n{}\r\n0\r\n\r\n`,
  'a chunk size with a sign': `${LOGIN}${chunked}+2\r\n{}\r\n0\r\n\r\n`,
  'a chunk size that overflows': `${LOGIN}${chunked}10000000000000002\r\n{}\r\n0\r\n\r\n`,
  'a chunk that ends with a line feed': `${LOGIN}${chunked}2\n{}\n0\n\n`,
  'a chunk longer than it says': `${LOGIN}${chunked}2\r\n{}x\r\n0\r\n\r\n`,
  'a chunk extension that hides a request': `${LOGIN}${chunked}2;x="\r\n${hidden}"\r\n{}\r\n0\r\n\r\n`,
  'trailers that claim to be headers': `${LOGIN}${chunked}2\r\n{}\r\n0\r\nhost: evil\r\ncontent-length: 99\r\nx-api-key: x\r\n\r\n`,
  'no chunk at all': `${LOGIN}${chunked}`,
};

const MALFORMED: Readonly<Record<string, string>> = {
  'nothing but a line feed': '\n',
  'no version': 'GET /api/v1/status/\r\n\r\n',
  'version 0.9': 'GET /api/v1/status/ HTTP/0.9\r\n\r\n',
  'version 2.0': 'GET /api/v1/status/ HTTP/2.0\r\nhost: x\r\n\r\n',
  'two spaces': 'GET  /api/v1/status/ HTTP/1.1\r\nhost: x\r\n\r\n',
  'a space in the path': 'GET /api/v1/sta tus/ HTTP/1.1\r\nhost: x\r\n\r\n',
  'a zero byte in the path': 'GET /api/v1/\0status/ HTTP/1.1\r\nhost: x\r\n\r\n',
  'a method that nobody knows': 'FROB /api/v1/status/ HTTP/1.1\r\nhost: x\r\n\r\n',
  'a method in small letters': 'get /api/v1/status/ HTTP/1.1\r\nhost: x\r\n\r\n',
  'another host in the path': 'GET http://evil.example/api/v1/status/ HTTP/1.1\r\nhost: x\r\n\r\n',
  'a path that is no path': 'GET api/v1/status/ HTTP/1.1\r\nhost: x\r\n\r\n',
  'dots and double encoding': 'GET /api/v1/%252e%252e/%2e%2e/internal/keys/ HTTP/1.1\r\nhost: x\r\n\r\n',
  'a percent that encodes nothing': 'GET /api/v1/status/%zz HTTP/1.1\r\nhost: x\r\n\r\n',
  'two hosts': `${STATUS}host: x\r\nhost: evil.example\r\n\r\n`,
  'no host': `${STATUS}\r\n`,
  'an empty host': `${STATUS}host:\r\n\r\n`,
  'a field without a colon': `${STATUS}host: x\r\nnonsense\r\n\r\n`,
  'a field name with a space': `${STATUS}host: x\r\nbad name: y\r\n\r\n`,
  'a field that begins with a space': `${STATUS} host: x\r\n\r\n`,
  'a zero byte in a field': `${STATUS}host: x\r\nx-api-key: a\0b\r\n\r\n`,
  'a field of 70,000 bytes': `${STATUS}host: x\r\nx-long: ${'a'.repeat(70_000)}\r\n\r\n`,
  'five thousand fields': `${STATUS}host: x\r\n${Array.from({ length: 5000 }, (_, i) => `x-${i}: y\r\n`).join('')}\r\n`,
  'a preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a hand-shake of TLS': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'a head that ends too early': 'POST /api/v1/check/ HTTP/1.1\r\nhost: x\r\ncontent-le',
  'a body that ends too early': `${LOGIN}content-length: 100\r\n\r\n{`,
};

export async function oddFraming(t: Test, stack: OpenStack): Promise<void> {
  const upstream = await startHttpProxy(stack.controlPlane.url);
  t.teardown(() => upstream.stop());
  const gateway = await startService('gateway', {
    ...stack.environments.gateway,
    CONTROL_PLANE_URL: upstream.url,
  });
  t.teardown(() => gateway.stop());

  const binary = await findEdge();
  const edge =
    binary === undefined
      ? undefined
      : await startEdge(binary, { gateway: gateway.url, internal: gateway.internalUrl });
  t.teardown(() => edge?.stop());

  const ways = { 'to a gateway': gateway.url, 'through the edge': edge?.url };

  for (const [way, url] of Object.entries(ways)) {
    t.test(
      `what can be read in two ways is not, ${way}`,
      { skip: url === undefined && 'no haproxy here' },
      async (t) => {
        for (const [name, text] of Object.entries({ ...FRAMING, ...MALFORMED })) {
          const answers = await sayAndReadAll(url ?? '', Buffer.from(text, 'latin1'));
          for (const { status, head, text: body } of answers) {
            t.ok(status >= 200 && status < 500, `${name}: ${status}`);
            if (status < 400) continue;
            t.match(head, JSON_TYPE, `${name}: ${status} is JSON`);
            t.match(body, /"error":/, `${name}: ${status} says what is wrong`);
          }
          t.equal(upstream.count(HIDDEN), 0, `${name}: nothing hidden came through`);
        }
        const key = { 'x-api-key': stack.apiKey };
        t.equal((await http(`${url}/api/v1/status/`, { headers: key })).status, 200, 'and others are served');
      },
    );
  }
}
