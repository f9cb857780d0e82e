import { http } from '@verdict/local-stack/http.js';
import type { TestStack } from '@verdict/local-stack/start-stack.js';
import { createDeadLetters } from '@verdict/queues/dead-letters.js';
import { Redis } from 'ioredis';
import type { Test } from 'tap';

export const OPERATOR_TOKEN = 'a-credential-of-the-operator';

export async function queuePage(t: Test, stack: TestStack): Promise<void> {
  const [worker] = stack.workers;
  const url = (path: string) => `${worker?.internalUrl}${path}`;
  const authorization = `Basic ${Buffer.from(`operator:${OPERATOR_TOKEN}`).toString('base64')}`;

  for (const path of ['/queues', '/queues/api/queues', '/queues/static/favicon-32x32.png']) {
    t.equal((await http(url(path))).status, 401, `${path} wants the credential`);
    const wrong = `Basic ${Buffer.from('operator:another-credential').toString('base64')}`;
    t.equal((await http(url(path), { headers: { authorization: wrong } })).status, 401);
  }
  t.equal((await http(url('/readyz'))).status, 200, 'health needs none');

  const page = await http(url('/queues'), { headers: { authorization } });
  t.equal(page.status, 200);
  const { body } = await http<{ queues: { name: string; readOnlyMode: boolean }[] }>(
    url('/queues/api/queues?activeQueue=&status=latest&page=1&jobsPerPage=10'),
    { headers: { authorization } },
  );
  t.equal(body.queues.length, 2, 'check logs, dead letters');

  const redis = new Redis(stack.redis.url);
  t.teardown(() => redis.disconnect());
  const letters = createDeadLetters({ connection: redis, onError: () => {} });
  await letters.add({
    id: 'letter-1',
    reason: 'a test',
    logIds: ['log_of_the_letter'],
    queuedAtMs: Date.now(),
    shard: 0,
    payload: { v: 99, checks: [{ email: 'jane@secret.example' }] },
  });
  await letters.close();
  const jobs = await http(
    url('/queues/api/queues?activeQueue=dead%20dead-letters&status=latest&page=1&jobsPerPage=10'),
    {
      headers: { authorization },
    },
  );
  t.match(jobs.text, 'log_of_the_letter');
  t.notMatch(jobs.text, 'jane@secret.example');
  t.ok(body.queues.every(({ readOnlyMode }) => readOnlyMode));
  const clean = await http(url('/queues/api/queues/0%20check-logs/clean/completed'), {
    method: 'PUT',
    headers: { authorization },
  });
  t.ok(clean.status >= 400, `cleaning answers ${clean.status}`);
}
