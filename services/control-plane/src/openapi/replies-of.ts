import { ErrorBodySchema, LimitErrorBodySchema } from '@verdict/contracts/error-api.js';
import type { Route } from '@verdict/contracts/routes/route.js';
import { EXAMPLES } from './examples.js';
import { CHECK_LIMITS, FILE_NAME, REPLAYED, REQUEST_ID, REQUEST_LIMITS, RETRY_AFTER } from './headers.js';
import type { Reply } from './openapi-document.js';
import { documentedPath } from './operation-id.js';
import { refusalsOf } from './refusals-of.js';
import type { SchemaWriter } from './schema-writer.js';

/** The meaning of each error status. */
const REFUSALS: Readonly<Record<string, string>> = {
  400: 'The request is wrong; `errors` names the fields.',
  401: 'No credential, or a bad one.',
  403: 'The credential may not do this.',
  404: 'No such endpoint, or nothing of yours.',
  409: 'Not in this state.',
  413: 'The body is too large.',
  415: 'The body has a type or an encoding that is not accepted here.',
  416: 'The file has fewer bytes.',
  429: 'Too many requests, or no quota left.',
  500: 'Something went wrong on our side.',
  503: 'Temporarily unavailable; not charged.',
};

const WITH_RETRY_AFTER = new Set(['409', '429', '503']);
/** Refusals that come after the key is known carry its limits. */
const WITH_CHECK_LIMITS = new Set(['400', '413', '415', '429']);

/** Every answer of a route by its status. */
export function repliesOf(route: Route, write: SchemaWriter): Readonly<Record<string, Reply>> {
  const successes = Object.entries(route.replies).map(([status, reply]) => {
    const isFile = 'content' in reply;
    return [
      status,
      {
        description: isFile ? reply.description : (route.replyDescription ?? 'Success'),
        headers: {
          ...REQUEST_ID,
          ...(isFile && !('application/json' in reply.content) && FILE_NAME),
          ...limitsOf(route, true),
          ...(route.tag === 'validation' && route.headers && REPLAYED),
        },
        content: isFile ? reply.content : json(route, status, write.ofAnswer(reply)),
      },
    ] as const;
  });
  const refusals = [...refusalsOf(route)].map(
    ([status, codes]) =>
      [
        status,
        {
          description: `${REFUSALS[status]} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
          headers: {
            ...REQUEST_ID,
            ...(WITH_RETRY_AFTER.has(status) && RETRY_AFTER),
            ...limitsOf(route, WITH_CHECK_LIMITS.has(status)),
          },
          content: json(route, status, write.ofAnswer(errorOf(route, status))),
        },
      ] as const,
  );
  return Object.fromEntries([...successes, ...refusals]);
}

const limitsOf = ({ tag }: Route, isCallerKnown: boolean): object =>
  tag === 'validation' ? (isCallerKnown ? CHECK_LIMITS : {}) : REQUEST_LIMITS;

const errorOf = ({ tag }: Route, status: string): object =>
  tag === 'validation' && status === '429'
    ? { anyOf: [LimitErrorBodySchema, ErrorBodySchema] }
    : ErrorBodySchema;

function json(route: Route, status: string, schema: object): NonNullable<Reply['content']> {
  const answers = Object.entries(EXAMPLES[documentedPath(route)] ?? {})
    .filter(([, example]) => String(example.status) === status)
    .map(([name, { summary, answer }]) => [name, { summary, value: answer }] as const);
  return {
    'application/json': { schema, ...(answers.length > 0 && { examples: Object.fromEntries(answers) }) },
  };
}
