import { CLIENT_USES_MAX, type ClientUse } from '@verdict/contracts/client-uses.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import t from 'tap';
import { createClientUses } from '../src/answers/client-uses.js';

const NODE = 'verdict-node/0.2.0 Node.js/24.11.0';
const key = (keyId: string, accountId = 'acc_1') => ({ accountId, keyId });
const use = (key_id: string, client: string | null, dropped_ips = 0, account_id = 'acc_1'): ClientUse => ({
  account_id,
  key_id,
  client,
  dropped_ips,
});

function reporter(everyMs = 3_600_000) {
  const sent: (readonly ClientUse[])[] = [];
  const errors: unknown[] = [];
  let isAway = false;
  const uses = createClientUses({
    everyMs,
    onError: (error) => void errors.push(error),
    send: async (all) => {
      if (isAway) throw new Error('away');
      sent.push(all);
    },
  });
  const setAway = (value: boolean) => {
    isAway = value;
  };
  return { uses, sent, errors, setAway };
}

t.test('a client is reported once for each key, and again when the key has another one', async (t) => {
  const { uses, sent } = reporter(1);
  for (let i = 0; i < 3; i++) uses.note(key('key_1'), NODE);
  uses.note(key('key_2', 'acc_2'), NODE);
  await eventually(() => sent.length > 0);
  for (let i = 0; i < 3; i++) uses.note(key('key_1'), NODE);
  uses.note(key('key_2', 'acc_2'), 'verdict-python/0.3.0 Python/3.13.1');
  await uses.close();
  t.strictSame(sent.flat(), [
    use('key_1', 'verdict-node/0.2.0'),
    use('key_2', 'verdict-node/0.2.0', 0, 'acc_2'),
    use('key_2', 'verdict-python/0.3.0', 0, 'acc_2'),
  ]);
});

t.test('other programs are no clients, but the IPs that they left out count', async (t) => {
  const { uses, sent } = reporter();
  for (const agent of [
    'curl/8.5.0',
    'verdict-node',
    'verdict-node/0.2.0<script>',
    `verdict-node/${'1'.repeat(40)}.0.0`,
  ])
    uses.note(key(`key_${agent.length}`), agent);
  uses.note(key('key_0'));
  uses.note(key('key_1'), 'curl/8.5.0', 1);
  uses.note(key('key_1'), NODE, 2);
  uses.note(key('key_1'), 'curl/8.5.0', 3);
  await uses.close();
  t.strictSame(sent, [[use('key_1', 'verdict-node/0.2.0', 6)]]);
});

t.test('a report that fails is sent with the next one, and counts nothing twice', async (t) => {
  const { uses, sent, errors, setAway } = reporter(1);
  setAway(true);
  uses.note(key('key_1'), NODE, 4);
  await eventually(() => errors.length > 0);
  uses.note(key('key_1'), NODE, 1);
  setAway(false);
  await eventually(() => sent.length > 0);
  await uses.close();
  t.strictSame(sent, [[use('key_1', 'verdict-node/0.2.0', 5)]]);
});

t.test('a report is bounded, and a key that found no place in it is in the next', async (t) => {
  const { uses, sent } = reporter(1);
  const noteAll = () => {
    for (let i = 0; i <= CLIENT_USES_MAX; i++) uses.note(key(`key_${i}`), NODE);
  };
  noteAll();
  await eventually(() => sent.length > 0);
  noteAll();
  await uses.close();
  t.strictSame(
    sent.map(({ length }) => length),
    [CLIENT_USES_MAX, 1],
  );
});
