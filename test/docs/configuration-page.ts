import { ControlPlaneConfigSchema } from '@verdict/control-plane/config.js';
import { GatewayConfigSchema } from '@verdict/gateway/config.js';
import { ScoringConfigSchema } from '@verdict/scoring/config.js';
import { WorkerConfigSchema } from '@verdict/worker/config.js';

const SERVICES = {
  gateway: GatewayConfigSchema,
  scoring: ScoringConfigSchema,
  worker: WorkerConfigSchema,
  'control-plane': ControlPlaneConfigSchema,
};

interface Field {
  readonly default?: unknown;
  readonly description?: string;
}

/** docs/configuration.md, from the very schemas that read the environment. */
export function configurationPage(): string {
  return `${HEAD}${Object.entries(SERVICES)
    .map(([name, schema]) => section(name, schema))
    .join('\n')}`;
}

const HEAD = `# Configuration

Every setting is an environment variable. \`NAME_FILE\` may name a file that holds the value of \`NAME\`, as container secrets
do. A service that finds a bad value does not start and names all of them in one message. This page is generated from the
schemas that read the environment (\`pnpm docs:configuration\`); a test keeps it true.

`;

function section(name: string, schema: { properties: object; required?: readonly string[] }): string {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties as Record<string, Field>).map(
    ([variable, field]) =>
      `| \`${variable}\` | ${defaultOf(field, required.has(variable))} | ${field.description ?? ''} |`,
  );
  return `## ${name}\n\n| variable | default | |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function defaultOf(field: Field, required: boolean): string {
  if (field.default === undefined) return required ? '**required**' : 'none';
  if (field.default === '') return 'empty';
  const text = String(field.default);
  // A path inside the checkout: which one it is on this machine is nobody's business.
  const shipped = /\/(dist\/assets\/.*)$/.exec(text);
  return `\`${shipped?.[1] ?? text}\``;
}
