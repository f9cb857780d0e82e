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

const HEAD = `# Configuration

Set environment variables. \`NAME_FILE\` may name a file with the value of \`NAME\`. A service with a bad value does not start and reports all
of them. \`npm run docs:configuration\` generates this page from the schemas, and a test compares it.
`;

/** docs/configuration.md, generated from the schemas that read the environment; settings that services share appear once. */
export function configurationPage(): string {
  const settings = new Map<string, { cells: string; services: string[] }>();
  for (const [service, schema] of Object.entries(SERVICES)) {
    for (const [name, cells] of settingsOf(schema)) {
      const known = settings.get(`${name} ${cells}`);
      if (known) known.services.push(service);
      else settings.set(`${name} ${cells}`, { cells: `\`${name}\` | ${cells}`, services: [service] });
    }
  }
  const all = [...settings.values()];
  const shared = all.filter(({ services }) => services.length > 1);
  const sections = Object.keys(SERVICES).map((service) =>
    table(
      service,
      'variable | default | meaning',
      all
        .filter(({ services }) => services.length === 1 && services[0] === service)
        .map(({ cells }) => cells),
    ),
  );
  const sharedRows = shared.map(({ cells, services }) => `${cells} | ${services.join(', ')}`);
  return [HEAD, table('Shared', 'variable | default | meaning | services', sharedRows), ...sections].join(
    '\n',
  );
}

function settingsOf(schema: { properties: object; required?: readonly string[] }): [string, string][] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties as Record<string, Field>).map(([name, field]) => [
    name,
    `${defaultOf(field, required.has(name))} | ${field.description ?? ''}`,
  ]);
}

const table = (title: string, head: string, rows: readonly string[]): string =>
  [`## ${title}\n`, head, head.replace(/[^|]+/g, '---'), ...rows]
    .map((line, at) => (at === 0 ? line : `| ${line} |`))
    .join('\n')
    .concat('\n');

function defaultOf(field: Field, required: boolean): string {
  if (field.default === undefined) return required ? '**required**' : 'none';
  if (field.default === '') return 'empty';
  const text = String(field.default);
  // A path inside the checkout, shown from its root because the machine's own path would differ.
  const shipped = /\/(dist\/assets\/.*)$/.exec(text);
  return `\`${shipped?.[1] ?? text}\``;
}
