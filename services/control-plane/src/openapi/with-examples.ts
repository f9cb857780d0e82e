import { EXAMPLES } from './examples.js';
import type { OpenApiDocument, Operation, Reply } from './openapi-document.js';

interface Body {
  readonly content: { readonly 'application/json': object };
}

/** Puts each example where its request and its answer are described. */
export function withExamples(paths: OpenApiDocument['paths']): OpenApiDocument['paths'] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [method, exemplified(path, operation)]),
      ),
    ]),
  );
}

function exemplified(path: string, operation: Operation): Operation {
  const examples = Object.entries(EXAMPLES[path] ?? {});
  const requests = examples.flatMap(([name, { summary, request }]) =>
    request ? [[name, { summary, value: request }] as const] : [],
  );
  const answersWith = (status: string) =>
    examples
      .filter(([, example]) => String(example.status) === status)
      .map(([name, { summary, answer }]) => [name, { summary, value: answer }] as const);
  return {
    ...operation,
    ...(requests.length > 0 && { requestBody: showing(operation.requestBody as Body, requests) }),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, reply]) => {
        const answers = answersWith(status);
        return [status, answers.length > 0 ? showing(reply as Reply & Body, answers) : reply];
      }),
    ),
  };
}

function showing<B extends Body>(body: B, examples: readonly (readonly [string, object])[]): B {
  const json = { ...body.content['application/json'], examples: Object.fromEntries(examples) };
  return { ...body, content: { ...body.content, 'application/json': json } };
}
