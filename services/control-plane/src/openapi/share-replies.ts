import type { OpenApiDocument, Operation, Reply } from './openapi-document.js';

type Shared<T> = Record<string, T>;

/** Left out of the names of headers, which every reply repeats. */
const PREFIX = /^(RateLimit|X)-/;

/** Names headers and parameters, and replies that several operations have, and refers to them: half of the document would be copies. */
export function shareReplies(document: OpenApiDocument): OpenApiDocument {
  const responses: Shared<Reply> = {};
  const headers: Shared<object> = {};
  const parameters: Shared<object> = {};
  const counts = new Map<string, number>();

  const withHeaders = (reply: Reply): Reply =>
    reply.headers === undefined
      ? reply
      : {
          ...reply,
          headers: mapped(reply.headers, (header, name) =>
            refer('headers', named(headers, name.replace(PREFIX, ''), header)),
          ),
        };
  const { webhooks = {} } = document;
  const count = (reply: Reply): Reply => {
    const whole = withHeaders(reply);
    const text = JSON.stringify(whole);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return whole;
  };
  const share = (reply: Reply, status: string): Reply =>
    (counts.get(JSON.stringify(reply)) ?? 0) > 1
      ? refer('responses', named(responses, status, reply))
      : reply;
  const withParameters = (operation: Operation): Operation =>
    operation.parameters === undefined
      ? operation
      : {
          ...operation,
          parameters: operation.parameters.map((each) =>
            refer('parameters', named(parameters, (each as { name: string }).name, each)),
          ),
        };
  const [countedPaths, countedHooks] = [document.paths, webhooks].map((each) => eachReply(each, count));
  const shared = (paths: Paths = {}) => eachOperation(eachReply(paths, share), withParameters);
  return {
    ...document,
    paths: shared(countedPaths),
    webhooks: shared(countedHooks),
    components: { ...document.components, responses, parameters, headers },
  };
}

const refer = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` }) as unknown as Reply;

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

/** The name of a value: the one it has already, or the wanted one, numbered where another value has that. */
function named<T extends object>(known: Shared<T>, wanted: string, value: T): string {
  const text = JSON.stringify(value);
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    known[name] ??= value;
    if (JSON.stringify(known[name]) === text) return name;
  }
}
