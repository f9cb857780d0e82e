import { randomFillSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createDeciding } from '@verdict/admission/create-deciding.js';
import { createFingerprints, createIpFingerprint } from '@verdict/admission/create-fingerprints.js';
import { createPreview } from '@verdict/admission/create-preview.js';
import type { Changed } from '@verdict/db/accounts/change-account.js';
import { applyDuePlanChanges } from '@verdict/db/billing/plan-changes.js';
import { deleteOldRefused, storeRefused } from '@verdict/db/checks/refused-requests.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { missingMigrations } from '@verdict/db/database/schema-state.js';
import { deleteOldKeyUses } from '@verdict/db/keys/key-uses.js';
import type { ListEntryRow } from '@verdict/db/lists/list-entries.js';
import { deleteExpiredEntries } from '@verdict/db/lists/list-entries.js';
import { deleteExpiredInvitations } from '@verdict/db/people/invitations.js';
import { deleteExpiredMailTokens } from '@verdict/db/people/mail-tokens.js';
import { deleteEndedSessions } from '@verdict/db/people/sessions.js';
import { createHookSealer } from '@verdict/domain/hooks/projected-secret.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { createSealer } from '@verdict/domain/sealed-text.js';
import { webhookPolicy } from '@verdict/domain/webhook-address.js';
import { agreeOnShards } from '@verdict/redis-store/agree-on-shards.js';
import { durabilityWarnings } from '@verdict/redis-store/check-durability.js';
import { connectForRequests, openRedis } from '@verdict/redis-store/connect.js';
import { createScoringClient } from '@verdict/scoring-client/scoring-client.js';
import { bePatient } from '@verdict/service-kit/be-patient.js';
import { changePending, tooManyRequests, unavailable } from '@verdict/service-kit/errors.js';
import { readInternalTokens } from '@verdict/service-kit/internal-tokens.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { createHostLookup } from '@verdict/service-kit/outgoing/look-up-host.js';
import { readPlans } from '@verdict/service-kit/plans-file.js';
import { createReadiness } from '@verdict/service-kit/readiness.js';
import { redisTarget } from '@verdict/service-kit/redis-settings.js';
import { createRefusedRequests } from '@verdict/service-kit/refused-requests.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import { valuesOf } from '@verdict/service-kit/settings.js';
import { inTurn, type Wait } from '@verdict/shares/in-turn.js';
import { createSemaphore, type Refusal } from '@verdict/shares/semaphore.js';
import { createLoginGuard } from './auth/login-guard.js';
import { createMailGuard } from './auth/mail-guard.js';
import { createMails } from './auth/mails.js';
import { createPasswords } from './auth/passwords.js';
import { createSecondFactors } from './auth/second-factors.js';
import { type ControlPlaneConfig, readSigningKeys } from './config.js';
import { createCursors } from './http/cursors.js';
import { createBulkStore } from './jobs/bulk-store.js';
import { createAllowance } from './judging/create-allowance.js';
import { projectLists } from './lists/project-lists.js';
import { createControlPlaneMetrics } from './metrics.js';
import { findOwnProxies } from './projection/find-own-proxies.js';
import { forgetDeparted } from './projection/forget-departed.js';
import { projectFromPostgres } from './projection/project-account.js';
import { createHookProjector } from './projection/project-hook.js';
import { relayOnce } from './projection/relay.js';
import { repeat } from './projection/repeat.js';
import { sweepOnce } from './projection/sweep.js';
import { createSearches } from './searches/create-searches.js';
import { createIdentityProviders } from './sso/identity-providers.js';
import { readOperatorProvider } from './sso/operator-provider.js';
import { createSignOnGuard } from './sso/sign-on-guard.js';

/** A day is decided once; the rest of its looks finds nothing to do. */
const OWN_PROXIES_EVERY_MS = 600_000;
export type Databases = Pick<Dependencies, 'db' | 'authDb'>;
export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;

const AUTH_CONNECTIONS = 3;
const LARGE_WORKS = 4;
const LARGE_WORKS_QUEUE = 128;
const LARGE_WORK_REST = 3;
const RETRY_SECONDS = 1;

const refusalOf = (part: string) => (why: Refusal) =>
  why === 'many' ? tooManyRequests(RETRY_SECONDS) : unavailable(part);

/** Everything with a connection or a memory, made once, in the order in which it depends on each other. */
export async function createDependencies(config: ControlPlaneConfig, log: Logger) {
  const metrics = createControlPlaneMetrics();
  const readiness = createReadiness();
  const createId = createIdFactory(Date.now, randomFillSync);
  const plans = readPlans(config.PLANS_FILE);
  const signingKeys = readSigningKeys(config);
  const tokens = readInternalTokens(config.INTERNAL_TOKEN);
  const passwords = await createPasswords(config.PASSWORD_HASH_COST);
  if (config.PASSWORD_HASH_COST !== 'owasp')
    log.warn('PASSWORD_HASH_COST is insecure-for-tests: stored passwords are easy to crack');
  const policy = webhookPolicy(config.WEBHOOK_PRIVATE_HOSTS, config.WEBHOOK_LOOPBACK);
  const sealer = config.SECRETS_KEY === undefined ? null : createSealer(config.SECRETS_KEY, randomFillSync);

  const redis = connectForRequests(redisTarget(config), 'control-plane');
  redis.on('error', (err) => log.warn({ err: err.message }, 'redis connection'));
  const patiently = <T>(step: () => Promise<T>) => bePatient(config.START_PATIENCE_SECONDS, log, step);
  await patiently(() => openRedis(redis));
  for (const warning of await durabilityWarnings(redis)) log.warn(warning);
  const shards = config.REDIS_SHARDS;
  await agreeOnShards({ redis, shards });

  const db = connectDatabase({
    url: config.DATABASE_URL,
    name: 'control-plane',
    connectionsMax: config.DATABASE_CONNECTIONS_MAX,
  });
  const authDb = connectDatabase({
    url: config.DATABASE_URL,
    name: 'control-plane-auth',
    connectionsMax: AUTH_CONNECTIONS,
  });
  const searches = createSearches(config.DATABASE_SEARCH_URL ?? config.DATABASE_URL, refusalOf('searches'));
  const largeWorks = createSemaphore({ capacity: LARGE_WORKS, queueMax: LARGE_WORKS_QUEUE, ownerMax: 1 });
  let missing = await patiently(() => named('Postgres', () => missingMigrations(db)));
  readiness.require(() => (missing.length > 0 ? `the database lacks the migration ${missing[0]}` : null));

  const projectHook = createHookProjector(sealer, createHookSealer(tokens.shared));
  const stores = { db, redis, shards, plans, projectHook };
  const project = (accountId: string) => projectFromPostgres(stores, accountId);
  const repairs = { ...stores, project, onHealed: () => metrics.healed.inc(), log };
  const relay = repeat('relay', config.RELAY_INTERVAL_MS, log, async () => {
    // A schema that was behind at the start is looked at again until it has caught up.
    if (missing.length > 0) missing = await missingMigrations(db);
    // Downgrades whose month has begun; the relay then brings them to Redis.
    await applyDuePlanChanges(db);
    await relayOnce(repairs);
  });
  const sweep = repeat('sweep', config.SWEEP_INTERVAL_MS, log, async () => {
    await sweepOnce(repairs);
    await forgetDeparted(repairs);
    await deleteEndedSessions(db);
    await deleteExpiredMailTokens(db);
    await deleteExpiredInvitations(db);
    await deleteOldRefused(db);
    await deleteOldKeyUses(db);
    await deleteExpiredEntries(db);
  });

  const ipFingerprint = createIpFingerprint(tokens.shared);
  const proxies = repeat('search for own proxies', OWN_PROXIES_EVERY_MS, log, () =>
    findOwnProxies({ db, project, ipFingerprint }, new Date()),
  );

  const scoring = createScoringClient({
    urls: valuesOf(config.SCORING_URLS),
    deadlineMs: config.SCORING_DEADLINE_MS,
  });

  const previewing = {
    store: { redis, shards },
    project: async (accountId: string) => void (await project(accountId)),
  };

  return {
    config,
    log,
    metrics,
    readiness,
    createId,
    plans,
    signingKeys,
    passwords,
    redis,
    shards,
    db,
    /** For logins, sessions and the questions of the gateway. */
    authDb,
    async disconnect(): Promise<void> {
      await Promise.all([db.$disconnect(), authDb.$disconnect(), searches.disconnect()]);
      redis.disconnect();
      await scoring.close();
    },
    bulkStore: createBulkStore(db, config.BULK_STORE_MB_MAX * 1024 * 1024),
    search: searches.search,
    /**
     * Handles an import or a page of file rows, one of an account at a time. The account then rests three times as long,
     * because large work fills memory and the event loop that everybody shares.
     */
    largeWork: <T>(accountId: string, work: () => Promise<T>, wait: Wait): Promise<T> =>
      inTurn(largeWorks, work, {
        ...wait,
        owners: [accountId],
        refusal: refusalOf('large work'),
        rest: LARGE_WORK_REST,
      }),
    repairs,
    projectHook,
    relay,
    sweep,
    proxies,
    refused: createRefusedRequests({
      send: (groups) => storeRefused(db, groups),
      onError: (err) => log.warn({ err }, 'refused requests not stored'),
    }),
    /** Writes an account to Redis as Postgres has it now; false when there is none. */
    project,
    /** The same for a request that changed something: the answer waits until every gateway sees it. */
    async projectOrPending(accountId: string): Promise<void> {
      await project(accountId).catch((error) => {
        throw changePending(error);
      });
    },
    /** A change of the lists, which need not carry all of them. */
    async projectListsOrPending(
      accountId: string,
      kind: 'added' | 'removed',
      changed: Changed<ListEntryRow>,
    ): Promise<void> {
      await projectLists({ db, redis, shards, project }, accountId, kind, changed).catch((error) => {
        throw changePending(error);
      });
    },
    webhooks: { policy, sealer },
    sso: {
      sealer,
      /** For the people who run this server. */
      operators: readOperatorProvider(config),
      providers: createIdentityProviders(
        {
          policy,
          lookup: createHostLookup({ hostsFile: await readFile('/etc/hosts', 'utf8').catch(() => '') }),
        },
        config.SSO_DEADLINE_MS,
      ),
      guard: createSignOnGuard(redis, config.LOGIN_WINDOW_SECONDS * 1000, config.LOGIN_FAILURES_PER_ADDRESS),
    },
    /** Tells what checks of an account would meet now; writes nothing. */
    preview: createPreview({
      ...previewing,
      fingerprint: config.BURSTS === 'on' ? createFingerprints(tokens.shared) : undefined,
    }),
    allowance: createAllowance(previewing),
    /** Tells which checks an entry would decide; writes nothing. */
    deciding: createDeciding(previewing),
    cursors: createCursors(tokens.shared),
    scoring,
    secondFactors: createSecondFactors(authDb, sealer),
    mails: createMails(db, createId, config.SMTP_URL === undefined ? null : sealer),
    mailGuard: createMailGuard(redis, config.REGISTRATIONS_PER_HOUR),
    loginGuard: createLoginGuard({
      redis,
      windowMs: config.LOGIN_WINDOW_SECONDS * 1000,
      failuresPerUserMax: config.LOGIN_FAILURES_PER_ACCOUNT,
      failuresPerAddressMax: config.LOGIN_FAILURES_PER_ADDRESS,
    }),
  };
}

async function named<T>(store: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${store} cannot be reached (${oneSentence(messageOf(error))})`);
  }
}

/** Prisma puts the cause at the end of a paragraph that contains the query. */
const oneSentence = (text: string): string =>
  /Message: `([^`]*)`/.exec(text)?.[1] ?? text.trim().split('\n').at(-1) ?? text;
