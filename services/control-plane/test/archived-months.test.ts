import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePartitions } from '@verdict/db/checks/partitions.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { withConnection } from '@verdict/db/database/with-connection.js';
import { archiveFacts } from '@verdict/db/facts/archive-facts.js';
import { encodeTime } from '@verdict/domain/id.js';
import { addMonths, monthBounds, monthOf } from '@verdict/domain/month.js';
import t from 'tap';
import { rowOf } from './support/check-rows.js';
import { startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const stores = await startStores(t);
const plane = await startControlPlane(t, stores);
const archived = addMonths(monthOf(new Date()), -6);
const kept = addMonths(archived, 1);
await ensurePartitions(stores.db, [archived, kept]);
await stores.db
  .$executeRaw`UPDATE billing_periods SET archived_at = now() WHERE month = ${monthBounds(archived).start}::date`;
const idOf = (month: string) => `log_${encodeTime(monthBounds(month).start.getTime() + 1)}ABCDEFGHJKMNPQRS`;

t.test('a check of an archived month is named as archived, and another missing one is not', async (t) => {
  const { call } = await plane.customer();
  for (const part of ['', 'evidence/']) {
    t.match(await call('GET', `/api/v1/dashboard/logs/${idOf(archived)}/${part}`), {
      status: 404,
      body: {
        code: 'not_found',
        error: `Checks of ${archived} are archived. Ask the operator of this service for this one.`,
      },
    });
    t.match(await call('GET', `/api/v1/dashboard/logs/${idOf(kept)}/${part}`), {
      status: 404,
      body: { code: 'not_found', error: 'There is nothing with this id in your account.' },
    });
  }
});

t.test(
  'a backtest that would miss archived checks is refused with the first day that it can read',
  async (t) => {
    const { call } = await plane.customer();
    const rules = [
      { name: 'One', when: { all: [{ field: 'score', op: 'gte', value: 0 }] }, then: { watch: true } },
    ];
    await call('POST', '/api/v1/policies/', { rules });
    const start = (from: string, to: string) => call('POST', '/api/v1/policies/1/backtest/', { from, to });
    t.match(await start(`${archived}-28`, `${kept}-05`), {
      status: 400,
      body: {
        errors: [{ field: 'from', message: `must be ${kept}-01 or later: earlier checks are archived` }],
      },
    });
    t.match(await start(`${kept}-01`, `${kept}-05`), { status: 202 });
  },
);

t.test(
  'a check, its evidence and every export say the same before and after their month is archived',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'verdict-facts-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const reading = await startControlPlane(t, stores, { FACTS_DIR: folder });
    const [mine, other] = [await reading.customer(), await reading.customer()];
    const month = addMonths(archived, -2);
    const { start, end } = monthBounds(month);
    const check = (accountId: string, day: number, i: number) => {
      const moment = `${month}-${String(day).padStart(2, '0')}T10:00:0${i}.000`;
      const id = `log_${encodeTime(Date.parse(`${moment}Z`))}${accountId.slice(-15)}${i}`;
      const row = { ...rowOf(accountId, 'key_1'), id, created_at: `${moment}${day}${i}+00:00` };
      const { verdict } = row;
      return i % 2 === 0
        ? row
        : { ...row, tag: 'app', verdict: { ...verdict, decision: 'block' as const, risk_score: 90 + i } };
    };
    const rows = [5, 17].flatMap((day) =>
      [0, 1, 2].flatMap((i) => [mine, other].map(({ accountId }) => check(accountId, day, i))),
    );
    await persistChecks(stores.db, rows);
    await stores.db.$executeRaw`SELECT drop_check_subjects(${start}::date)`;
    const own = rows.filter(({ account_id }) => account_id === mine.accountId);
    const days = `from=${month}-05&to=${month}-17T10:00:02Z`;
    const exports = [
      '',
      '?decision=block',
      '?tag=app&score_min=92',
      `?${days}`,
      `?ids=${own[1]?.id},${own[5]?.id}`,
    ];
    const read = async () => {
      const found: string[] = [];
      const paths = own.flatMap(({ id }) => [`${id}/`, `${id}/evidence/`]);
      for (const path of [
        ...paths.map((each) => `logs/${each}`),
        ...exports.map((query) => `logs.csv${query}`),
      ]) {
        const { status, text } = await mine.call('GET', `/api/v1/dashboard/${path}`);
        t.equal(status, 200, path);
        found.push(text);
      }
      return found;
    };
    const stored = await read();
    t.match(stored.at(-1)?.split('\r\n'), { length: 4 }, 'two checks, the names of the columns and an end');

    await stores.db.$executeRaw`
    UPDATE billing_periods SET stated_at = now(), reconciled_to = ${end} WHERE month = ${start}::date`;
    const options = { month, before: end, folder, pendingSince: null };
    t.match(await withConnection(stores.ownerUrl, (client) => archiveFacts(client, options)), {
      rows: 12,
      kept: null,
    });
    t.equal(readdirSync(folder).length, 4);
    t.strictSame(await read(), stored);
    t.match(await mine.call('GET', '/api/v1/dashboard/logs.csv?mode=test'), {
      status: 200,
      text: /^id,.*\r\n$/,
    });
    t.match(await mine.call('GET', '/api/v1/dashboard/logs.csv?domain=example.org'), { text: /^id,.*\r\n$/ });

    const foreign = rows.find(({ account_id }) => account_id === other.accountId);
    const nothing = { status: 404, body: { error: 'There is nothing with this id in your account.' } };
    t.match(await mine.call('GET', `/api/v1/dashboard/logs/${foreign?.id}/`), nothing);
    t.match(await mine.call('GET', `/api/v1/dashboard/logs/${foreign?.id}/evidence/`), nothing);
    t.match(await other.call('GET', `/api/v1/dashboard/logs/${foreign?.id}/`), { status: 200 });
  },
);
