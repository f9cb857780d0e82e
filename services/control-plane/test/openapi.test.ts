import { gunzipSync } from 'node:zlib';
import { dereference, validate } from '@readme/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { CONTROL_PLANE_ROUTES } from '@verdict/contracts/routes/routes.js';
import t from 'tap';
import type { OpenApiDocument, Operation, Reply } from '../src/openapi/openapi-document.js';
import { documentedPath, operationId } from '../src/openapi/operation-id.js';
import { refusalsOf } from '../src/openapi/refusals-of.js';
import { startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const plane = await startControlPlane(t, await startStores(t));
const document = (await plane.call('GET', '/api/v1/openapi.json')).body as unknown as OpenApiDocument;
type Whole = Operation & { readonly responses: Readonly<Record<string, Reply>> };
const whole = (await dereference(structuredClone(document) as never)) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Whole>>>>;
};
const operations = Object.entries(whole.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
);
const each = (look: (name: string, operation: Whole) => void): void => {
  for (const { name, operation } of operations) look(name, operation);
};

t.test('the document is compressed, and readers who have it get a 304', async (t) => {
  const read = (headers: Record<string, string>) =>
    plane.app.inject({ url: '/api/v1/openapi.json', headers });
  const plain = await read({});
  const packed = await read({ 'accept-encoding': 'gzip' });
  t.match(plain.headers, { 'cache-control': 'no-cache', etag: /^"/ });
  t.match(packed.headers, { 'content-encoding': 'gzip', etag: `W/${plain.headers.etag}` });
  t.same(JSON.parse(gunzipSync(packed.rawPayload).toString()), document);
  for (const tag of [plain.headers.etag, packed.headers.etag]) {
    const again = await read({ 'if-none-match': String(tag), 'accept-encoding': 'gzip' });
    t.match([again.statusCode, again.body], [304, '']);
  }
});

/**
 * The document of 405 kB was halved; each operation beyond the 103 that it had when it came closest has the same share. A
 * constant of an answer has had its type beside it since, which is 17 bytes,
 * and every route that takes a credential names its 403. A message of a webhook beyond the 13 that there were has the share of
 * an operation.
 */
const BYTES_PER_OPERATION =
  202_500 / 103 + '"type":"boolean",'.length + '"403":{"$ref":"#/components/responses/Forbidden"},'.length;

const MESSAGES = 13;

t.test('the document is small, and every schema with a name is used', async (t) => {
  const text = JSON.stringify(document);
  t.ok(
    text.length <
      (operations.length + Object.keys(document.webhooks ?? {}).length - MESSAGES) * BYTES_PER_OPERATION,
    `${text.length} bytes of ${operations.length} operations`,
  );
  for (const name of Object.keys(document.components.schemas ?? {}))
    t.ok(text.includes(`"#/components/schemas/${name}"`), name);
});

t.test('every component has an identifier for its name, and every constant a type', async (t) => {
  const text = JSON.stringify(document);
  for (const [kind, components] of Object.entries(document.components))
    for (const name of Object.keys(components)) t.match(name, /^[A-Za-z_]\w*$/, kind);
  t.notMatch(text, /\{"const":[^}]*\}/);
});

t.test('two independent readers find the document valid', async (t) => {
  const copy = () => structuredClone(document) as never;
  t.match(await validate(copy()), { valid: true, warnings: [] });
  t.match(await new Validator().validate(copy()), { valid: true });
});

t.test('the document names every code with which a route refuses', async (t) => {
  t.ok(CONTROL_PLANE_ROUTES.length > 100);
  for (const route of CONTROL_PLANE_ROUTES) {
    const operation = whole.paths[documentedPath(route)]?.[route.method.toLowerCase()];
    for (const [status, codes] of refusalsOf(route))
      for (const code of codes)
        t.match(
          operation?.responses[status]?.description,
          `\`${code}\``,
          `${route.method} ${route.path} ${status}`,
        );
  }
});

t.test('every operation has a name of its own, words for people, and says who may call it', async (t) => {
  const names = operations.map(({ operation }) => operation.operationId);
  t.equal(new Set(names).size, operations.length);
  each((name, operation) => {
    t.match(operation.operationId, /^[a-z][a-zA-Z0-9]+$/, name);
    t.ok(operation.summary, `${name} has a summary`);
    t.ok(operation.description, `${name} has a description`);
    t.ok(operation.security ?? document.security, `${name} says its security`);
    t.ok(operation.tags?.length, `${name} has a tag`);
  });
  const declared = document.tags?.map((tag) => tag.name);
  each((name, operation) => {
    for (const tag of operation.tags ?? [])
      t.ok(declared?.includes(tag), `${name}: the tag ${tag} is described`);
  });
});

t.test('every status says what it means, names its request, and when to come again', async (t) => {
  each((name, { responses, requestBody }) => {
    for (const [status, reply] of Object.entries(responses)) {
      t.ok((reply.description ?? '').length > 3, `${name} ${status} has words`);
      t.ok(reply.headers?.['X-Request-Id'], `${name} ${status} names its request`);
      if (['409', '429', '503'].includes(status))
        t.ok(reply.headers?.['Retry-After'], `${name} ${status} says when`);
    }
    t.ok(responses[500] && responses[503], `${name} can fail`);
    if (requestBody) t.ok(responses[413] && responses[415], `${name} says what it does with a wrong body`);
  });
});

t.test('no number in a request is larger than what stores it', async (t) => {
  const unbounded = (schema: unknown): boolean => {
    if (typeof schema !== 'object' || schema === null) return false;
    const { type, maximum, ...rest } = schema as { type?: unknown; maximum?: number };
    return (type === 'integer' && (maximum ?? Infinity) > 2 ** 31 - 1) || Object.values(rest).some(unbounded);
  };
  each((name, { requestBody, parameters }) => {
    t.notOk(unbounded(requestBody) || unbounded(parameters), name);
  });
});

t.test('answers may grow: no schema of an answer is closed', async (t) => {
  each((name, { responses }) => {
    t.notMatch(JSON.stringify(responses), '"additionalProperties":false', name);
  });
  t.notMatch(
    JSON.stringify(document.paths['/api/v1/check/']?.post?.responses),
    '"additionalProperties":false',
  );
});

t.test('POST /check/ names its key header, its limits and its replay', async (t) => {
  const check = whole.paths['/api/v1/check/']?.post;
  t.match(check?.parameters, [{ name: 'expand' }, { name: 'Idempotency-Key', in: 'header' }]);
  t.match(Object.keys(check?.responses[200]?.headers ?? {}), [
    'X-Request-Id',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'X-Quota-Limit',
    'X-Quota-Remaining',
    'X-Quota-Reset',
    'Idempotent-Replayed',
  ]);
  t.strictSame(Object.keys(check?.responses ?? {}), [
    '200',
    '400',
    '401',
    '403',
    '413',
    '415',
    '429',
    '500',
    '503',
  ]);
});

t.test('names are made from method and path', async (t) => {
  t.equal(operationId('get', '/api/v1/dashboard/keys/{id}/'), 'getDashboardKeysById');
  t.equal(operationId('post', '/api/v1/auth/users/set_password/'), 'postAuthUsersSetPassword');
  t.equal(operationId('get', '/api/v1/lists/allow/export.csv'), 'getListsAllowExportCsv');
});
