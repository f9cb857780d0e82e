/** Where Redis is: one server, a master that Sentinels name, or a cluster that any of some nodes describes. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | ({ readonly kind: 'sentinel'; readonly name: string; readonly sentinels: readonly Node[] } & Access)
  | ({ readonly kind: 'cluster'; readonly nodes: readonly Node[] } & Access);

interface Node {
  readonly host: string;
  readonly port: number;
}

interface Access {
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly tls: boolean;
}

export interface RedisSettings {
  /** REDIS_URL: `redis[s]://[user:password@]host:port[/db]` or `redis[s]+sentinel://[user:password@]host:port,…/name`. */
  readonly url?: string | undefined;
  /** REDIS_CLUSTER: `[redis[s]://[user:password@]]host:port,host:port,…` */
  readonly cluster?: string | undefined;
  /** REDIS_TIMEOUT_MS: how long one command may take before Redis counts as silent; 1,500. */
  readonly timeoutMs?: number | undefined;
}

const SENTINEL_PORT = 26_379;
const REDIS_PORT = 6_379;
const PARTS = /^(?:(rediss?)(?:\+sentinel)?:\/\/)?(?:([^@/]*)@)?([^/?]+)(?:\/([^?]*))?$/;

/** Reads both settings, or throws one sentence that says what is wrong without repeating a password. */
export function readRedisAddress({ url, cluster }: RedisSettings): RedisAddress {
  if (cluster) {
    const { access, hosts } = split('REDIS_CLUSTER', cluster);
    return { kind: 'cluster', nodes: hosts.map((host) => toNode(host, REDIS_PORT)), ...access };
  }
  if (!url) throw new Error('REDIS_URL is missing, and so is REDIS_CLUSTER');
  if (!/^rediss?\+sentinel:/.test(url)) {
    if (!/^rediss?:\/\/./.test(url)) throw new Error('REDIS_URL does not begin with redis:// or rediss://');
    return { kind: 'server', url };
  }
  const { access, hosts, path } = split('REDIS_URL', url);
  if (!path) throw new Error('REDIS_URL names Sentinels, but not the master to ask them for');
  return {
    kind: 'sentinel',
    name: decodeURIComponent(path),
    sentinels: hosts.map((host) => toNode(host, SENTINEL_PORT)),
    ...access,
  };
}

function split(variable: string, text: string) {
  const parts = PARTS.exec(text);
  const hosts = (parts?.[3] ?? '').split(',').map((host) => host.trim());
  if (!parts || hosts.some((host) => host === '')) throw new Error(`${variable} is not a list of host:port`);
  const [username = '', password] = (parts[2] ?? '').split(':').map(decodeURIComponent);
  const access: Access = {
    // "secret@" is a password alone, as older servers have it.
    username: password === undefined ? undefined : username || undefined,
    password: password ?? (username || undefined),
    tls: parts[1] === 'rediss',
  };
  return { access, hosts, path: parts[4] };
}

function toNode(text: string, fallbackPort: number): Node {
  const [, host = '', port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(text) ?? [];
  if (host === '') throw new Error(`"${text}" is not host:port`);
  return { host: host.replace(/^\[|\]$/g, ''), port: port ? Number(port) : fallbackPort };
}
