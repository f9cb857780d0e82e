import { spawnSync } from 'node:child_process';
import { appendFile, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { watchFields } from './unread-fields.js';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}
interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: { readonly runAsNonRoot: boolean };
  readonly volumes?: readonly {
    readonly projected?: {
      readonly sources: readonly {
        readonly secret?: { readonly items: readonly { readonly key: string }[] };
      }[];
    };
  }[];
  readonly containers: readonly {
    readonly image: string;
    readonly env?: readonly { readonly name: string; readonly value: string }[];
    readonly securityContext: object;
    readonly resources: { readonly requests: { readonly cpu: string } };
    readonly startupProbe?: { readonly periodSeconds: number; readonly failureThreshold: number };
  }[];
}
interface JobSpec {
  readonly template: { readonly spec: PodSpec };
}
interface Egress {
  readonly to?: readonly {
    readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
  }[];
  readonly ports?: readonly { readonly port: number | string }[];
}
interface Validate {
  (data: unknown): boolean;
  readonly errors?: readonly {
    readonly instancePath: string;
    readonly keyword: string;
    readonly params: object;
  }[];
}

const ROOT = inRoot('deploy/kubernetes');
const read = (path: string) => readFile(join(ROOT, path), 'utf8');
const load = async (path: string): Promise<Manifest[]> =>
  parseAllDocuments(await read(path)).map((document) => document.toJS() as Manifest);

/** The validators that are generated from the schemas of the Kubernetes API. */
async function problemsOf(manifest: Manifest): Promise<string[]> {
  const { validate } = (await import(inRoot('test/node_modules', schemaOf(manifest)))) as {
    validate: Validate;
  };
  const { watched, unread } = watchFields(manifest);
  if (validate(watched)) return unread().map((path) => `${path} is not a field`);
  return (validate.errors ?? []).map(({ instancePath, keyword, params }) =>
    [instancePath, keyword, ...Object.values(params)].join(' '),
  );
}

/** apps/v1 Deployment -> IoK8sApiAppsV1Deployment; the core group has no name, and the Gateway API has its own package. */
function schemaOf({ apiVersion, kind }: Manifest): string {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse();
  const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
  if (group === 'gateway.networking.k8s.io')
    return `@kubernetes-models/gateway-api/_schemas/IoK8sSigsGatewayApiApis${capital(version)}${kind}.js`;
  return `kubernetes-models/_schemas/IoK8sApi${capital(group.split('.')[0] ?? '')}${capital(version)}${kind}.js`;
}

const folders = [
  'base',
  'overlays/production',
  'components/datasets',
  'components/facts',
  'components/gateway-api',
  'components/plans',
];
const manifests: Manifest[] = [];
for (const folder of folders) {
  for (const file of await readdir(join(ROOT, folder))) {
    if (file !== 'kustomization.yaml') manifests.push(...(await load(join(folder, file))));
  }
}
const named = (kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind).map((m) => m.metadata.name);

t.test('the check itself finds wrong types, missing fields and misspelt ones', async (t) => {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' } };
  t.strictSame(await problemsOf({ ...service, spec: { ports: [{ port: 80 }] } } as Manifest), []);
  t.match(await problemsOf({ ...service, spec: { ports: [{ port: '80' }] } } as Manifest), [
    /port type integer/,
  ]);
  t.match(await problemsOf({ ...service, spec: { ports: [{ name: 'http' }] } } as Manifest), [
    /required port/,
  ]);
  t.strictSame(await problemsOf({ ...service, spec: { prots: [] } } as Manifest), [
    '.spec.prots is not a field',
  ]);
});

t.test('every manifest is what Kubernetes expects', async (t) => {
  t.ok(manifests.length > 20);
  for (const manifest of manifests) {
    t.strictSame(await problemsOf(manifest), [], `${manifest.kind} ${manifest.metadata.name}`);
  }
});

t.test('kustomize finds every file, and the overlay changes only what is there', async (t) => {
  for (const folder of folders) {
    const {
      resources = [],
      images = [],
      patches = [],
    } = parse(await read(join(folder, 'kustomization.yaml'))) as {
      resources?: string[];
      images?: { name: string }[];
      patches?: { target: { kind: string; name: string } }[];
    };
    const files = (await readdir(join(ROOT, folder))).filter((file) => file !== 'kustomization.yaml');
    t.strictSame(resources.filter((path) => path.endsWith('.yaml')).sort(), files.sort(), folder);
    const used = new Set(pods().flatMap(({ spec }) => spec.containers.map(({ image }) => image)));
    for (const { name } of images) t.ok(used.has(name), `${name} is used`);
    for (const { target } of patches)
      t.ok(named(target.kind).includes(target.name), `${target.name} is there`);
  }
});

/** kubectl renders without a cluster. */
const kubectl = (...args: string[]) => spawnSync('kubectl', args, { encoding: 'utf8' });
const hasKubectl = kubectl('version', '--client').status === 0;

t.test(
  'what kubectl would apply, with every component, is what Kubernetes expects',
  hasKubectl ? {} : { skip: 'no kubectl here' },
  async (t) => {
    const copy = await mkdtemp(join(tmpdir(), 'verdict-kubernetes-'));
    t.teardown(() => rm(copy, { recursive: true, force: true }));
    await cp(ROOT, copy, { recursive: true });
    await cp(inRoot('config/plans.json'), join(copy, 'components/plans/plans.json'));
    const overlay = join(copy, 'overlays/production');
    const components = folders.flatMap((folder) => (/^components/.test(folder) ? `../../${folder}` : []));
    await appendFile(join(overlay, 'kustomization.yaml'), `components: ${JSON.stringify(components)}\n`);
    const { status, stdout, stderr } = kubectl('kustomize', overlay);
    t.equal(status, 0, stderr || 'it renders');
    const rendered = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    for (const manifest of rendered) {
      const name = `${manifest.kind} ${manifest.metadata.name}`;
      t.strictSame(await problemsOf(manifest), [], name);
      if (manifest.kind !== 'Namespace') t.match(manifest, { metadata: { namespace: 'verdict' } }, name);
    }
    t.equal(rendered.length, manifests.length + 1, 'all of them, and the plans that it generates');
  },
);

t.test('pods run without root, without a writable file system and without a token', async (t) => {
  for (const { name, spec } of pods()) {
    t.equal(spec.automountServiceAccountToken, false, name);
    t.match(spec.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }, name);
    for (const container of spec.containers) {
      t.match(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      t.match(container.resources, { requests: { cpu: String, memory: String }, limits: { memory: String } });
    }
  }
});

/** Own the schema: they make roles, read all tables and drop archived months. */
const OWNERS = ['migrate', 'backup', 'facts'];

t.test('no pod is restarted while it waits for a store', async (t) => {
  const settings = manifests.find(({ kind }) => kind === 'ConfigMap') as unknown as {
    data: Record<string, string>;
  };
  const patience = Number(settings.data.START_PATIENCE_SECONDS);
  for (const { name, spec } of pods()) {
    const { startupProbe } = spec.containers[0] ?? {};
    if (!startupProbe || name === 'scoring') continue;
    t.ok(startupProbe.periodSeconds * startupProbe.failureThreshold >= patience, name);
  }
});

t.test('a pod gets every secret that it names, and none of another role', async (t) => {
  for (const { name, spec } of pods()) {
    const files = spec.containers.flatMap(({ env = [] }) =>
      env.flatMap(({ name: variable, value }) =>
        variable.endsWith('_FILE') ? [value.split('/').at(-1)] : [],
      ),
    );
    const mounted = (spec.volumes ?? []).flatMap(({ projected }) =>
      (projected?.sources ?? []).flatMap(({ secret }) => (secret?.items ?? []).map(({ key }) => key)),
    );
    t.strictSame(mounted.sort(), files.sort(), name);
    const own = name === 'erasures' ? 'operator' : name.replaceAll('-', '_');
    const foreign = mounted.filter((key) => key.startsWith('database_url') && key !== `database_url_${own}`);
    if (!OWNERS.includes(name)) t.strictSame(foreign, [], `${name} reaches Postgres as itself`);
  }
});

t.test('nothing undoes the autoscaler, and every claim is of a kind that block storage offers', async (t) => {
  for (const name of named('HorizontalPodAutoscaler')) {
    const scaled = manifests.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === name,
    ) as unknown as {
      spec: { replicas?: number };
    };
    t.equal(scaled.spec.replicas, undefined, `${name} has no number of replicas`);
  }
  for (const claim of manifests.filter(({ kind }) => kind === 'PersistentVolumeClaim')) {
    const { spec } = claim as unknown as { spec: { accessModes: string[] } };
    if (claim.metadata.name === 'files')
      t.strictSame(spec.accessModes, ['ReadWriteOnce'], claim.metadata.name);
  }
  for (const name of ['worker', 'control-plane']) {
    const pod = pods().find((one) => one.name === name);
    t.ok(
      pod?.spec.containers[0]?.env?.some((variable) => variable.name === 'SMTP_URL_FILE'),
      `${name} sends mail`,
    );
  }
});

t.test('both ways in lead to the port of the service, under one name', async (t) => {
  const found = (kind: string) => manifests.find((manifest) => manifest.kind === kind) as unknown;
  const route = found('HTTPRoute') as {
    spec: {
      hostnames: string[];
      rules: { backendRefs: { name: string; port: number }[]; retry?: object }[];
    };
  };
  const ingress = found('Ingress') as { spec: { rules: { host: string }[] } };
  const service = manifests.find(
    ({ kind, metadata }) => kind === 'Service' && metadata.name === 'gateway',
  ) as unknown as { spec: { ports: { port: number }[] } };
  t.strictSame(
    route.spec.hostnames,
    ingress.spec.rules.map(({ host }) => host),
  );
  const [rule] = route.spec.rules;
  t.strictSame(rule?.backendRefs, [{ name: 'gateway', port: service.spec.ports[0]?.port }]);
  t.equal(rule?.retry, undefined, 'a check that was sent is never sent twice');
});

/** Checks a second per core of docs/scaling.md, rounded down. */
const PER_CORE = { gateway: 4_000, scoring: 50_000 };

t.test('as many scoring replicas may start as the largest fleet of gateways needs', async (t) => {
  const capacity = (name: keyof typeof PER_CORE) => {
    const { spec } = manifests.find(
      ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === name,
    ) as unknown as {
      spec: {
        maxReplicas: number;
        metrics: { resource: { target: { averageUtilization: number } } }[];
      };
    };
    const [container] = pods().find((one) => one.name === name)?.spec.containers ?? [];
    const { cpu } = container?.resources.requests ?? { cpu: '0' };
    const cores = cpu.endsWith('m') ? Number.parseInt(cpu, 10) / 1_000 : Number(cpu);
    const share = (spec.metrics[0]?.resource.target.averageUtilization ?? 0) / 100;
    return spec.maxReplicas * cores * share * PER_CORE[name];
  };
  t.ok(
    capacity('scoring') >= capacity('gateway'),
    `${capacity('scoring')} of ${capacity('gateway')} checks/s`,
  );
});

t.test('each service has a budget for disruptions and a policy for its network', async (t) => {
  for (const name of named('Deployment')) {
    // A drain may take the operator's pod away.
    if (name !== 'operator') t.ok(named('PodDisruptionBudget').includes(name), `${name} has a budget`);
    t.ok(named('NetworkPolicy').includes(name), `${name} has a policy`);
  }
  t.ok(named('NetworkPolicy').includes('default-deny'));
});

/** Policies add up: one that is too wide undoes all others of its pod. */
t.test('no policy lets a pod reach the addresses of the inside', async (t) => {
  const INSIDE = [
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.168.0.0/16',
  ];
  /** DNS, Redis, its Sentinels, Postgres and mail, wherever they are. */
  const SERVERS = [53, 6379, 26379, 5432, 465, 587];
  for (const { kind, metadata, ...rest } of manifests) {
    if (kind !== 'NetworkPolicy') continue;
    const { spec } = rest as unknown as { spec: { egress?: readonly Egress[] } };
    for (const { to = [], ports = [] } of spec.egress ?? []) {
      const isKnown = ports.length > 0 && ports.every(({ port }) => SERVERS.includes(Number(port)));
      t.ok(to.length > 0 || isKnown, `${metadata.name} names where it goes`);
      const everywhere = to.flatMap(({ ipBlock }) => (ipBlock?.cidr === '0.0.0.0/0' ? [ipBlock] : []));
      for (const { except } of everywhere) t.strictSame([...(except ?? [])].sort(), INSIDE, metadata.name);
      t.notOk(
        to.some(({ ipBlock }) => ipBlock?.cidr === '::/0'),
        metadata.name,
      );
    }
  }
});

function pods(): { readonly name: string; readonly spec: PodSpec }[] {
  return manifests
    .filter(({ kind }) => ['Deployment', 'Job', 'CronJob'].includes(kind))
    .map((manifest) => {
      const { spec } = manifest as unknown as { spec: JobSpec & { jobTemplate?: { spec: JobSpec } } };
      return { name: manifest.metadata.name, spec: (spec.jobTemplate?.spec ?? spec).template.spec };
    });
}
