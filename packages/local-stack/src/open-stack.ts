import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSigningJwk, publicKeySet, type SigningJwk } from '../../../scripts/lib/signing-jwk.mjs';
import type { Settings } from './child-environment.js';
import { inRoot } from './paths.js';
import { type StackFacts, viewStack } from './stack-view.js';
import { startDnsServer } from './start-dns-server.js';
import { howItEnded } from './start-server.js';
import type { TestService } from './start-service.js';
import { startStack } from './start-stack.js';
import { sharedRun } from './test-server.js';

type OpenService = Pick<TestService, 'name' | 'url' | 'internalUrl' | 'log'>;

export interface SharedStack extends StackFacts {
  readonly services: readonly OpenService[];
  readonly gateways: readonly OpenService[];
  readonly controlPlane: OpenService;
  /** The services accept what this key signs as well. */
  readonly siblingKey: SigningJwk;
}

/** A running stack that other test files may use at the same time: a test can look at it, and end nothing. */
export type OpenStack = Awaited<ReturnType<typeof openStack>>;

const shipped = JSON.parse(readFileSync(inRoot('config/plans.json'), 'utf8')) as Record<string, object>;
const plan = (checks_per_month: number, checks_per_second: number, more = {}) => ({
  ...{ checks_per_month, checks_per_second, retention_days: 30, ...more },
});

/** Those that are sold, at a rate that no test reaches, and those that a test uses up. */
const PLANS = {
  ...Object.fromEntries(
    Object.entries(shipped).map(([name, one]) => [name, { ...one, checks_per_second: 1e6 }]),
  ),
  free: plan(1_000, 1_000),
  ample: plan(100_000, 5_000, { bulk_rows_max: 10_000 }),
  single: plan(1, 1_000),
  tiny: plan(2, 1_000),
  three: plan(3, 500),
  seven: plan(7, 100, { bulk_rows_max: 100 }),
  roomy: plan(1_000, 100, { bulk_rows_max: 100, price_month: 1 }),
  slow: plan(1_000, 1),
  five: plan(1_000, 5),
};

const mx = [[10, 'mail.example-corp.com']] as const;
const ZONE = { 'canary.example-corp.com': { mx }, 'with-mx.example-corp.com': { mx }, 'gmail.com': { mx } };

/** All files come from one address, so what limits an address is lifted. */
const UNLIMITED = 1_000_000;

/** A stack with a fresh account for this file: the stack of the run, or a private one with other settings or for a file that runs alone. */
export async function openStack({ plan, settings }: { plan?: string; settings?: Settings } = {}) {
  const shared = settings ? undefined : sharedRun()?.stack;
  const own = shared ? undefined : await startSharedStack(settings);
  const facts = shared ?? (own?.facts as SharedStack);
  const { end, ...view } = await viewStack(facts, plan);
  return {
    ...facts,
    ...view,
    /** Everything that the services printed, without the line that is being written. */
    outputs: async (): Promise<{ name: string; text: string }[]> =>
      facts.services.map(({ name, log }) => {
        const text = readFileSync(String(log), 'utf8');
        return { name, text: text.slice(0, text.lastIndexOf('\n') + 1) };
      }),
    /** Closes the file's own connections. */
    async stop() {
      await end();
      await own?.stop();
    },
  };
}

/** Starts what `openStack` gives to many files. `stop` fails when a service had ended before. */
export async function startSharedStack(settings?: Settings) {
  const logs = mkdtempSync(join(tmpdir(), 'verdict-stack-'));
  const plansFile = join(logs, 'plans.json');
  writeFileSync(plansFile, JSON.stringify(PLANS));
  const dns = await startDnsServer(ZONE);
  const [signingJwk, siblingKey] = [createSigningJwk(), createSigningJwk()];
  const stack = await startStack({
    gateways: 2,
    logs,
    env: {
      all: {
        PLANS_FILE: plansFile,
        DNS_SERVERS: dns.address,
        JWT_PUBLIC_KEYS: publicKeySet(signingJwk, siblingKey),
        ...settings,
      },
      gateway: {
        TRUST_PROXY: 'loopback',
        AUTH_FAILURES_PER_MINUTE: UNLIMITED,
        LOOKS_PER_SECOND: UNLIMITED,
        REQUESTS_PER_MINUTE: UNLIMITED,
      },
      'control-plane': {
        JWT_SIGNING_KEY: JSON.stringify(signingJwk),
        REGISTRATIONS_PER_HOUR: UNLIMITED,
      },
      // Long enough for a busy machine to answer in, short enough to wait for what never answers.
      scoring: {
        DNS_CANARY: 'canary.example-corp.com',
        DNS_DEADLINE_MS: 2_000,
        DNS_DOMAIN_PER_SECOND: UNLIMITED,
      },
    },
  });
  const { database, environments, baseUrls, gateways, controlPlane, services } = stack;
  const ended: string[] = [];
  for (const { name, exited } of [...services, stack.redis])
    void exited.then((how) => ended.push(`${name} (${howItEnded(how)})`));
  const stores = { database, redis: { url: stack.redis.url } };
  return {
    facts: { ...stores, environments, baseUrls, gateways, controlPlane, services, siblingKey },
    async stop() {
      const died = [...ended];
      await stack.stop();
      await dns.close();
      rmSync(logs, { recursive: true, force: true });
      if (died.length > 0) throw new Error(`The stack that the tests share lost ${died.join(', ')}.`);
    },
  };
}
