import type { RefusedGroup } from '@verdict/contracts/refused-requests.js';
import { REFUSED_GROUPS_MAX } from '@verdict/contracts/refused-requests.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import t from 'tap';
import { createRefusedRequests } from '../src/refused-requests.js';

const refusal = (keyId: string | undefined, status = 400, requestId = 'req_1') => ({
  ...{ requestId, status, code: 'invalid_request', method: 'POST', path: '/x?email=a@b', route: '/x' },
  ...{ client: '192.0.2.1', accountId: 'acc_1', keyId, detail: {} },
});

const neverByItself = { everyMs: 3_600_000, onError: () => undefined };

t.test('a report that fails is sent again with the next one, and counts nothing twice', async (t) => {
  const sent: RefusedGroup[][] = [];
  let isAway = true;
  const refused = createRefusedRequests({
    everyMs: 1,
    onError: () => {
      isAway = false;
    },
    send: async (groups) => {
      if (isAway) throw new Error('away');
      sent.push([...groups]);
    },
  });
  for (let i = 0; i < 9; i++) refused.note(refusal('key_1', 400, `req_${i}`));
  await eventually(() => !isAway);
  await refused.close();
  t.equal(
    sent.flat().reduce((sum, { count }) => sum + count, 0),
    9,
  );
  t.strictSame(
    sent.flat()[0]?.samples.map(({ request_id: id, path }) => [id, path]),
    [4, 5, 6, 7, 8].map((i) => [`req_${i}`, '/x']),
  );
});

t.test('memory is bounded, and what belongs to no key or is our own failure is not counted', async (t) => {
  let groups: readonly RefusedGroup[] = [];
  const refused = createRefusedRequests({
    ...neverByItself,
    send: async (all) => {
      groups = all;
    },
  });
  refused.note(refusal(undefined));
  refused.note(refusal('key_0', 503));
  for (let i = 0; i < REFUSED_GROUPS_MAX + 50; i++) refused.note(refusal(`key_${i}`));
  await refused.close();
  t.equal(groups.length, REFUSED_GROUPS_MAX);
  t.ok(groups.every(({ status }) => status === 400));
});

t.test('keys of two accounts that are refused the same way are counted apart', async (t) => {
  let groups: readonly RefusedGroup[] = [];
  const refused = createRefusedRequests({
    ...neverByItself,
    send: async (all) => {
      groups = all;
    },
  });
  refused.note(refusal('key_1'));
  refused.note({ ...refusal('key_2'), accountId: 'acc_2' });
  await refused.close();
  t.strictSame(
    groups.map(({ account_id, key_id, count }) => [account_id, key_id, count]),
    [
      ['acc_1', 'key_1', 1],
      ['acc_2', 'key_2', 1],
    ],
  );
});
