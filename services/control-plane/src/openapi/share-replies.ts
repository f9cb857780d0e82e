import type { OpenApiDocument, Operation, Reply } from './openapi-document.js';

type Shared<T> = Record<string, T>;

/** Of a header: every reply repeats it. */
const SHORT: Readonly<Record<string, string>> = {
  'X-Request-Id': 'Id',
  'RateLimit-Limit': 'Max',
  'RateLimit-Remaining': 'Left',
  'Retry-After': 'Wait',
};
const shortName = (name: string): string => SHORT[name] ?? name.replace(/^RateLimit-/, '');

/** Names headers and parameters, and replies that several operations have, and refers to them: half of the document would be copies. */
export function shareReplies(document: OpenApiDocument): OpenApiDocument {
  const parameters: Shared<object> = {};
  const { webhooks = {} } = document;
  const all = [document.paths, webhooks];
  const headers = frequentFirst<object>(all, ({ headers = {} }) =>
    Object.entries(headers).map(([name, header]) => [shortName(name), header]),
  );
  const withHeaders = (reply: Reply): Reply =>
    reply.headers === undefined
      ? reply
      : {
          ...reply,
          headers: mapped(reply.headers, (header, name) =>
            refer('headers', named(headers, shortName(name), header)),
          ),
        };
  const headed = all.map((paths) => eachReply(paths, withHeaders));
  const responses = frequentFirst(headed, (reply, status) => [[status, reply]], 2);
  const texts = new Set(Object.values(responses).map((reply) => JSON.stringify(reply)));
  const share = (reply: Reply, status: string): Reply =>
    texts.has(JSON.stringify(reply)) ? refer('responses', named(responses, status, reply)) : reply;
  const withParameters = (operation: Operation): Operation =>
    operation.parameters === undefined
      ? operation
      : {
          ...operation,
          parameters: operation.parameters.map((each) =>
            refer('parameters', named(parameters, (each as { name: string }).name, each)),
          ),
        };
  const [headedPaths, headedHooks] = headed;
  const shared = (paths: Paths = {}) => eachOperation(eachReply(paths, share), withParameters);
  return {
    ...document,
    paths: shared(headedPaths),
    webhooks: shared(headedHooks),
    components: { ...document.components, responses, parameters, headers },
  };
}

const refer = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const mapped = <T, U>(
  values: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));

type Paths = OpenApiDocument['paths'];

const eachOperation = (paths: Paths, change: (operation: Operation) => Operation): Paths =>
  mapped(paths, (operations) => mapped(operations, change));

const eachReply = (paths: Paths, change: (reply: Reply, status: string) => Reply): Paths =>
  eachOperation(paths, (operation) => ({ ...operation, responses: mapped(operation.responses, change) }));

/** Parts of all replies that occur as often as asked; the most frequent have the shortest names. */
function frequentFirst<T extends object>(
  all: readonly Paths[],
  partsOf: (reply: Reply, status: string) => readonly (readonly [name: string, value: T])[],
  times = 1,
): Shared<T> {
  const counts = new Map<string, { readonly name: string; readonly value: T; count: number }>();
  for (const paths of all) {
    eachReply(paths, (reply, status) => {
      for (const [name, value] of partsOf(reply, status)) {
        const text = JSON.stringify([name, value]);
        const known = counts.get(text) ?? { name, value, count: 0 };
        known.count += 1;
        counts.set(text, known);
      }
      return reply;
    });
  }
  const known: Shared<T> = {};
  const frequent = [...counts.values()].filter(({ count }) => count >= times);
  for (const { name, value } of frequent.sort((a, b) => b.count - a.count)) named(known, name, value);
  return known;
}

/** The name of a value: the one it has already, or the wanted one, numbered where another value has that. */
function named<T extends object>(known: Shared<T>, wanted: string, value: T): string {
  const text = JSON.stringify(value);
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    known[name] ??= value;
    if (JSON.stringify(known[name]) === text) return name;
  }
}
