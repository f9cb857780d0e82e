import { JOB_ROUTES } from '@verdict/contracts/routes/job-routes.js';
import { OUTCOME_ROUTES } from '@verdict/contracts/routes/outcome-routes.js';
import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import { WEBHOOK_EVENTS, WEBHOOK_TEST_EVENT } from '@verdict/contracts/webhook-events.js';

/** The parts of a JSON Schema that the routes of the client use. */
interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const check = VALIDATION_ROUTES.check.replies[200];
const { job } = JOB_ROUTES.find.replies[200].properties;
const item = VALIDATION_ROUTES.checkBatch.replies[200].properties.results.items;

/** Types of the client by name; a schema that is one of these is written by its name in the others. */
const TYPES: Readonly<Record<string, Schema>> = {
  Decision: check.properties.decision,
  Signals: check.properties.signals,
  Factor: check.properties.breakdown.properties.factors.items,
  Datasets: check.properties.breakdown.properties.datasets,
  CheckResult: check,
  FieldError: item.properties.errors.items,
  StatusResult: VALIDATION_ROUTES.status.replies[200],
  UsageResult: VALIDATION_ROUTES.usage.replies[200],
  OutcomesResult: OUTCOME_ROUTES.record.replies[200],
  JobStatus: job.properties.status,
  JobFormat: job.properties.format,
  Job: job,
  JobResult: JOB_ROUTES.results.replies[200].properties.results.items,
};

/** The answers of the API as the client describes them, from the schemas of the routes. */
export function clientTypes(): string {
  const types = Object.entries(TYPES).map(([name, schema]) =>
    schema.properties
      ? `export interface ${name} ${fieldsOf(schema, '')}\n`
      : `export type ${name} =${lineOf(definition(schema))};\n`,
  );
  const told = Object.entries(WEBHOOK_EVENTS).map(([type, { data }]): [string, Schema] => [type, data]);
  const test: Schema = { properties: { endpoint_id: { type: 'string' } }, required: ['endpoint_id'] };
  const events = [...told, [WEBHOOK_TEST_EVENT, test] as const].map(
    ([type, data]) => `  | Told<'${type}', ${inLine(data)}>`,
  );
  return `/** Answers of the API, written by \`npm run docs:signals\` from the schemas that the service answers with. */

${types.join('\n')}
interface Told<Type extends string, Data> {
  type: Type;
  /** When it happened, not when it was sent. */
  timestamp: string;
  data: Data;
}

/** The body of a verified message. \`type\` determines \`data\`. */
export type WebhookEvent =
${events.join('\n')};
`;
}

const LINE_MAX = 110;
const PRIMITIVES: Readonly<Record<string, string>> = { integer: 'number', object: 'Record<string, unknown>' };

function typeOf(schema: Schema, indent: string): string {
  const named = Object.entries(TYPES).find(([, other]) => isSame(other, schema));
  return named ? named[0] : definition(schema, indent);
}

function definition(schema: Schema, indent = ''): string {
  if (schema.const !== undefined) return textOf(schema.const);
  if (schema.enum) return schema.enum.map(textOf).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((part) => typeOf(part, indent)).join(' | ');
  if (schema.items) {
    const each = typeOf(schema.items, indent);
    return / \| /.test(each) && !each.startsWith('{') ? `(${each})[]` : `${each}[]`;
  }
  if (schema.properties) return fieldsOf(schema, indent);
  return PRIMITIVES[schema.type ?? 'unknown'] ?? schema.type ?? 'unknown';
}

const fieldsOf = ({ properties = {}, required = [] }: Schema, indent: string): string => {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const comment = schema.description ? `${indent}  /** ${sentence(schema.description)} */\n` : '';
    return `${comment}${indent}  ${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, `${indent}  `)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
};

const inLine = ({ properties = {} }: Schema): string =>
  `{ ${Object.entries(properties)
    .map(([name, schema]) => `${name}: ${typeOf(schema, '')}`)
    .join('; ')} }`;

/** A union that does not fit into a line stands below its name. */
const lineOf = (union: string): string =>
  union.length + 30 < LINE_MAX ? ` ${union}` : `\n  | ${union.replaceAll(' | ', '\n  | ')}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value));
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Apart from their descriptions, which say what a schema means where it stands. */
const isSame = (one: Schema, other: Schema): boolean => plain(one) === plain(other);
const plain = ({ description: _, ...rest }: Schema): string => JSON.stringify(rest);
