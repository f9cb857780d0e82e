import { rollBack } from '@verdict/datasets/update/roll-back.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { eraseSubjects } from '@verdict/db/erasure/erase-subject.js';
import { decideLook } from '@verdict/db/revisions/decide-look.js';
import { createRevisions } from '@verdict/db/revisions/revisions.js';
import { listingIntervals } from '@verdict/domain/listing-intervals.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import t, { type Test } from 'tap';
import { noteReleases } from '../src/second-look/note-releases.js';
import { checkLog, createId, rowsOf, verdictOf } from './support/check-log.js';
import { releasesIn } from './support/releases-in.js';
import { setUp } from './support/set-up.js';

const setting = await setUp({ DATASETS_UPDATE_HOURS: '0' });
t.teardown(() => setting.close());
const { db } = setting;
const PATIENCE = { withinMs: 300_000, everyMs: 100 };
const DAY_MS = 86_400_000;
const LISTED = { code: 'DISPOSABLE_DOMAIN', points: 90, reason: 'Disposable email domain detected' };

const newAccount = async (): Promise<string> => {
  const id = createId('acc');
  await db.account.create({ data: { id, name: 'a', plan: 'free' } });
  return id;
};

interface Stored {
  readonly account: string;
  readonly domain: string;
  readonly count: number;
  readonly listed?: boolean;
  readonly factors?: { code: string; points: number; reason: string }[];
  /** Mail servers, as mailText writes them. */
  readonly mx?: string;
}

/** Checks of three days ago, as the worker stored them then. */
async function store({
  account,
  domain,
  count,
  listed = false,
  factors = [],
  mx = '',
}: Stored): Promise<string[]> {
  const found = listed ? [LISTED, ...factors] : factors;
  const own = verdictOf(listed ? 'block' : 'allow');
  const verdict = {
    ...own,
    extra: { ...own.extra, mail: mx },
    risk_score: found.reduce((sum, { points }) => sum + points, 0),
    signals: { disposable_email: listed, mx_valid: true, free_provider: false },
    factors: found,
  };
  const at = new Date(Date.now() - 3 * DAY_MS).toISOString().replace('Z', '000+00:00');
  const checks = Array.from({ length: count }, (_, n) =>
    checkLog({ account_id: account, email: `p${n}@${domain}`, verdict, created_at: at }),
  );
  await persistChecks(db, rowsOf(checks, { storage: 'full', hashSecret: 's' }));
  return checks.map(({ id }) => id);
}

/** Everything that bills an account, and its checks as they were answered. */
const billed = (account: string) => db.$queryRaw`
  SELECT (SELECT md5(string_agg(l::text, ',' ORDER BY l.id)) FROM check_logs l WHERE l.account_id = ${account}) AS logs,
    (SELECT md5(string_agg(u::text, ',' ORDER BY u.hour, u.decision)) FROM usage_hourly u WHERE u.account_id = ${account}) AS usage,
    (SELECT count(*)::int FROM usage_adjustments a WHERE a.account_id = ${account}) AS adjusted,
    (SELECT count(*)::int FROM statements s WHERE s.account_id = ${account}) AS statements`;

async function world(t: Test) {
  const directory = t.testdir({});
  const releases = releasesIn(directory);
  const note = () => noteReleases({ db, directory, createId, log: createLogger('worker', 'silent') });
  await db.secondLook.deleteMany();
  await releases.publish('2026-11-16');
  await note();
  const scoring = await startService('scoring', {
    DATASETS_DIR: directory,
    DATASETS_POLL_MS: 200,
    DNS_SERVERS: '127.0.0.1:9',
  });
  t.teardown(() => scoring.stop());
  // The service takes a free port where none is given.
  const { INTERNAL_PORT: _port, ...settings } = setting.settings;
  const env = {
    ...settings,
    DATASETS_DIR: directory,
    SCORING_URLS: scoring.url,
    CONTROL_PLANE_INTERNAL_URL: 'http://127.0.0.1:9',
    INTERNAL_TOKEN: 'a'.repeat(32),
  };
  const startWorker = async () => {
    const worker = await startService('worker', env);
    t.teardown(() => worker.stop());
    return worker;
  };
  const newest = () => db.secondLook.findFirstOrThrow({ orderBy: [{ notedAt: 'desc' }, { id: 'desc' }] });
  /** The pause after a release is over, and the leases of dead workers. */
  const hurry = () => db.$executeRaw`UPDATE second_looks SET leased_until = now() - interval '1 second'`;
  const ends = (status: string) =>
    eventually(async () => {
      const look = await newest();
      if (look.status !== status && look.leasedUntil.getTime() > Date.now() + 61_000) return false;
      if (look.status !== status) await hurry();
      return look.status === status;
    }, PATIENCE);
  return { directory, releases, note, startWorker, newest, hurry, ends };
}

t.test(
  'a release revises exactly the checks that it changes, once, whichever worker dies, and a rollback revises them back',
  async (t) => {
    const { directory, releases, note, startWorker, newest, hurry, ends } = await world(t);
    const [account, other] = [await newAccount(), await newAccount()];
    await db.webhookEndpoint.create({
      data: {
        id: createId('whe'),
        accountId: account,
        url: 'https://example.com/',
        events: ['check.revised'],
        secret: 's',
      },
    });
    const known = 'mailinator.com';
    const fresh = [
      ...(await store({ account, domain: 'fresh-second-look.com', count: 30 })),
      ...(await store({ account, domain: 'sub.fresh-second-look.com', count: 7 })),
    ];
    const dropped = await store({ account: other, domain: known, count: 5, listed: true });
    await store({ account, domain: 'honest-second-look.com', count: 9_955 });
    await store({
      account,
      domain: 'fresh-second-look.com',
      count: 3,
      factors: [{ code: 'ACCOUNT_ALLOW', points: 0, reason: 'On your list' }],
    });
    const before = [await billed(account), await billed(other)];
    await releases.publish('2026-11-17', { more: ['fresh-second-look.com'], fewer: [known] });
    await Promise.all([note(), note(), note()]);
    t.equal(await db.secondLook.count(), 2, 'a release is noted once');
    const pause = (await newest()).leasedUntil.getTime() - Date.now();
    t.ok(pause > 3_500_000 && pause <= 3_600_000, 'nothing is revised for an hour');
    const workers = await Promise.all([startWorker(), startWorker(), startWorker()]);
    await hurry();
    for (const victim of workers.slice(0, 2)) {
      await eventually(async () => (await newest()).lease > 0, PATIENCE);
      await victim.kill();
      await hurry();
    }
    await ends('done');
    const revisionsOf = async (id: string) =>
      (await db.revision.findMany({ where: { accountId: id }, orderBy: { createdAt: 'asc' } })).map(
        ({ id: log, fromDecision, toDecision }) => ({ log, fromDecision, toDecision }),
      );
    const revised = await revisionsOf(account);
    t.strictSame(revised.map(({ log }) => log).sort(), [...fresh].sort(), 'the 37, each once');
    t.ok(revised.every(({ fromDecision, toDecision }) => fromDecision === 'allow' && toDecision === 'block'));
    const back = await revisionsOf(other);
    t.strictSame(
      back.map(({ log }) => log).sort(),
      [...dropped].sort(),
      'and those of a name that left the lists',
    );
    t.ok(back.every(({ fromDecision, toDecision }) => fromDecision === 'block' && toDecision === 'allow'));
    t.strictSame(
      [await billed(account), await billed(other)],
      before,
      'no check, count or statement changed',
    );
    const told = async () =>
      (await db.webhookEvent.findMany({ where: { accountId: account, type: 'check.revised' } })).flatMap(
        ({ data }) => (data as { log_ids: string[] }).log_ids,
      );
    t.strictSame((await told()).sort(), [...fresh].sort(), 'told of once');
    const { listings, countRecent, page } = createRevisions(db, account);
    t.strictSame(
      listingIntervals(await listings(['fresh-second-look.com']), [releases.source]).map(
        ({ source, to }) => ({ source, to }),
      ),
      [{ source: releases.source, to: null }],
    );
    t.equal(await countRecent(), 37);
    t.match(await page(null, 1), [
      { from: 'allow', to: 'block', codes: ['DISPOSABLE_DOMAIN'], release: '2026-11-17' },
    ]);

    await rollBack(directory, undefined, undefined);
    await note();
    await hurry();
    await ends('done');
    const after = await revisionsOf(account);
    t.equal(after.length, 74, '37 more');
    t.ok(
      after
        .slice(37)
        .every(({ fromDecision, toDecision }) => fromDecision === 'block' && toDecision === 'allow'),
    );
    t.equal((await revisionsOf(other)).length, 10);
    t.equal(await countRecent(), 0, 'all stand as they were answered');
    t.strictSame([await billed(account), await billed(other)], before);
    t.match(listingIntervals(await listings(['fresh-second-look.com']), []), [
      { source: releases.source, to: String },
    ]);

    const [one = ''] = fresh;
    const { emailHash } = await db.checkSubject.findFirstOrThrow({ where: { id: one } });
    await eraseSubjects(db, [emailHash]);
    t.equal(await db.revision.count({ where: { id: one } }), 0, 'erasure takes revisions');
  },
);

t.test(
  'a release that changes too much waits for an operator, and a rollback in time revises nothing',
  async (t) => {
    const { directory, releases, note, startWorker, newest, hurry, ends } = await world(t);
    const account = await newAccount();
    await store({ account, domain: 'many-second-look.com', count: 500 });
    await releases.publish('2026-11-17', { more: ['many-second-look.com'] });
    await note();
    await rollBack(directory, undefined, undefined);
    await note();
    t.match(await newest(), { status: 'done', names: [] });
    t.equal(await db.secondLook.count({ where: { status: 'replaced' } }), 1);
    await releases.publish('2026-11-18', { more: ['many-second-look.com'] });
    await note();
    await hurry();
    await startWorker();
    await ends('held');
    t.match(await newest(), { found: 500 });
    t.equal(await db.revision.count({ where: { accountId: account } }), 0);
    t.equal(await decideLook(db, (await newest()).id, true), true);
    await ends('done');
    t.equal(await db.revision.count({ where: { accountId: account } }), 500);
  },
);

t.test(
  'a mail server that joins the lists revises the domains behind it, and a rollback revises them back',
  async (t) => {
    const { directory, releases, note, startWorker, newest, hurry, ends } = await world(t);
    const account = await newAccount();
    const behind = (
      await Promise.all(
        [1, 2, 3].map((n) =>
          store({
            account,
            domain: `front${n}-look.com`,
            count: 4,
            mx: 'fleet-look.com mx1.fleet-look.com mx2.else.com',
          }),
        ),
      )
    ).flat();
    await store({ account, domain: 'honest-look.com', count: 5, mx: 'else.com mx2.else.com' });
    await store({
      account,
      domain: 'mail.fleet-look.com',
      count: 2,
      mx: 'fleet-look.com mx1.mail.fleet-look.com',
    });
    const byAddress = { code: 'DISPOSABLE_MX_SINGLE_SOURCE', points: 60, reason: 'At an address' };
    await store({
      account,
      domain: 'address-look.com',
      count: 3,
      factors: [byAddress],
      mx: 'x.com mx.x.com',
    });
    const before = await billed(account);
    const standing = async () =>
      (await db.revision.findMany({ where: { accountId: account }, orderBy: { createdAt: 'asc' } })).map(
        ({ id, fromDecision, toDecision }) => `${id} ${fromDecision} ${toDecision}`,
      );
    await releases.publish('2026-11-17', { hosts: ['fleet-look.com', 'mx.x.com'] });
    await note();
    t.match(await newest(), { names: [], hosts: ['fleet-look.com', 'mx.x.com'] });
    await startWorker();
    await hurry();
    await ends('done');
    const revised = await standing();
    const own = behind.map((id) => `${id} allow block`);
    t.strictSame(
      revised.filter((line) => line.includes(' allow ')).sort(),
      own.sort(),
      'not those at their own server',
    );
    t.equal(
      revised.filter((line) => line.endsWith(' review block')).length,
      3,
      'a surer word replaces a weaker one',
    );
    t.equal(revised.length, 15);
    await rollBack(directory, undefined, undefined);
    await note();
    await hurry();
    await ends('done');
    const back = (await standing()).slice(15);
    t.equal(back.filter((line) => line.endsWith(' block allow')).length, 12);
    t.equal(back.filter((line) => line.endsWith(' block review')).length, 3, 'as each was answered');
    t.strictSame(await billed(account), before);
  },
);
