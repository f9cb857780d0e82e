import { API_PREFIX, FORWARDED_BODY_BYTES_MAX, LARGE_BODIES } from '@verdict/contracts/api-paths.js';
import { CONTROL_PLANE_ROUTES } from '@verdict/contracts/routes/routes.js';
import { TAKES } from '@verdict/contracts/routes/takes.js';
import t from 'tap';
import { startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const plane = await startControlPlane(t, await startStores(t));
const writing = CONTROL_PLANE_ROUTES.filter(
  ({ method, callers, takes }) => method !== 'GET' && callers !== 'operator' && takes !== TAKES.upload,
);

t.test('no route reads a body that is larger than it declares', async (t) => {
  const { call } = await plane.customer();
  for (const { method, path, takes } of writing) {
    const url = `${API_PREFIX}${path.replaceAll(/:\w+/g, '1')}`;
    const frame = JSON.stringify({ filler: '' }).length;
    const body = (bytes: number) => ({ filler: 'x'.repeat(bytes - frame) });
    const larger = await call(method, url, body(takes.bytesIn + 1));
    t.match(larger, { status: 413, body: { code: 'body_too_large' } }, `${method} ${path}`);
    t.not((await call(method, url, body(takes.bytesIn))).status, 413, `${method} ${path}`);
  }
});

t.test('gateways pass the bodies on that routes declare', async (t) => {
  const declared = writing
    .filter(({ takes }) => takes.bytesIn > FORWARDED_BODY_BYTES_MAX)
    .map(({ path, takes }) => ({ path: `${API_PREFIX}${path}`, bytesMax: takes.bytesIn }));
  const byPath = (a: { readonly path: string }, b: { readonly path: string }) => a.path.localeCompare(b.path);
  t.strictSame(declared.sort(byPath), [...LARGE_BODIES].sort(byPath));
});

t.test('every change by a user counts towards an allowance', async (t) => {
  for (const { method, path, callers, takes, changesNothing } of CONTROL_PLANE_ROUTES) {
    if (method === 'GET' || method === 'DELETE' || callers === 'operator' || callers === 'anyone') continue;
    t.ok(changesNothing || takes.allowance === 'changes', `${method} ${path}`);
  }
});
