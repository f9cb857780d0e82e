import { randomFillSync } from 'node:crypto';
import { createApiKey } from '@verdict/domain/api-key.js';
import { http } from '@verdict/local-stack/http.js';
import type { Test } from 'tap';
import type { WatchedGateway } from './watched-gateway.js';

/** Well-formed keys that never were: each cost the control plane a millisecond, long after its address was over the limit. */
export const FAILURES_PER_MINUTE = 20;
const FORGED = 300;
/** Of the control plane, by default. */
const REQUESTS_PER_MINUTE = 600;
/** Refusals of a loop are delayed, so it takes many loops to reach the limit. */
const AT_ONCE = 60;

export async function forgedKeys(
  t: Test,
  { gateway, asked, forwarded, apiKey }: WatchedGateway,
): Promise<void> {
  const check = (key: string) =>
    http<{ code: string }>(`${gateway.url}/api/v1/check/`, {
      headers: { 'x-api-key': key },
      json: { email: 'a@example.com' },
    });
  const forged = () => createApiKey(randomFillSync);

  /** Fails until the address is over its limit, and then continues. */
  async function flood() {
    let last = await check(forged());
    for (let i = 0; i <= FAILURES_PER_MINUTE && last.status !== 429; i++) last = await check(forged());
    const minuteEndsAt = Date.now() + (Number(last.headers['retry-after']) - 1) * 1_000;
    const before = asked.count('/internal/keys/');
    const statuses = new Set<number>([last.status]);
    for (let i = 0; i < FORGED; i += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => check(forged())));
      for (const { status } of answers) statuses.add(status);
    }
    const questions = asked.count('/internal/keys/') - before;
    return { statuses, questions, isWithinTheMinute: Date.now() < minuteEndsAt };
  }

  t.test(
    'over its limit an address costs the control plane nothing, and a good key from it still works',
    async (t) => {
      const begun = asked.count('/internal/keys/');
      const questions = () => asked.count('/internal/keys/') - begun;
      let seen = await flood();
      // A flood that the minute ended under, because the machine is slow, shows nothing: it begins again.
      for (let attempt = 1; attempt < 5 && !seen.isWithinTheMinute; attempt++) seen = await flood();
      t.ok(seen.isWithinTheMinute);
      t.ok(questions() > 0, 'until then keys were looked for');
      t.same([...seen.statuses], [429]);
      t.equal(seen.questions, 0, 'nothing more was asked');
      t.equal((await check(apiKey)).status, 200);
    },
  );

  t.test(
    'over its limit of requests an address is refused by the gateway, with a page or an API call',
    async (t) => {
      const ask = (path: string) =>
        http<{ code: string }>(`${gateway.url}${path}`, { headers: { 'x-api-key': forged() } });
      const askMany = () => Promise.all(Array.from({ length: AT_ONCE }, () => ask('/api/v1/jobs/')));
      let last = await ask('/api/v1/jobs/');
      for (let i = 0; i < 2 * REQUESTS_PER_MINUTE && last.status !== 429; i += AT_ONCE)
        last = (await askMany()).at(-1) ?? last;
      const minuteEndsAt = Date.now() + (Number(last.headers['retry-after']) - 1) * 1_000;
      const before = forwarded.count('/');
      const answers = await Promise.all(['/api/v1/jobs/', '/api/v1/dashboard/logs/', '/keys'].map(ask));
      t.ok(Date.now() < minuteEndsAt, 'within the minute');
      for (const { status, body, headers } of answers) {
        t.match({ status, code: body.code }, { status: 429, code: 'too_many_requests' });
        t.ok(Number(headers['retry-after']) > 0);
      }
      t.equal(forwarded.count('/') - before, 0, 'nothing was passed on');
      t.equal((await check(apiKey)).status, 200, 'checks have limits of their own');
    },
  );
}
