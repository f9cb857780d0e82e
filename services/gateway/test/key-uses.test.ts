import { CLIENT_USES_MAX, type ClientUse } from '@verdict/contracts/client-uses.js';
import { KEY_USES_MAX, type KeyUse, type KeyUsesReport } from '@verdict/contracts/key-uses.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import type { Caller } from '@verdict/redis-store/step.js';
import t from 'tap';
import { createKeyUses } from '../src/answers/key-uses.js';

const NODE = 'verdict-node/0.2.0 Node.js/24.11.0';
const PYTHON = 'verdict-python/0.3.0 Python/3.13.1';
const IP = '203.0.113.7';

const caller = (keyId: string, credential = 'aaaa', accountId = 'acc_1'): Caller => ({
  accountId,
  keyId,
  credential,
});
const client = (key_id: string, name: string | null, dropped_ips = 0, account_id = 'acc_1'): ClientUse => ({
  account_id,
  key_id,
  client: name,
  dropped_ips,
});
const network = (credential: string, around: string, requests: number, key_id = 'key_1'): KeyUse => ({
  account_id: 'acc_1',
  key_id,
  credential,
  network: around,
  requests,
});

function collector(everyMs = 3_600_000) {
  const sent: KeyUsesReport[] = [];
  const errors: unknown[] = [];
  let isAway = false;
  const uses = createKeyUses({
    everyMs,
    onError: (error) => void errors.push(error),
    send: async (report) => {
      if (isAway) throw new Error('away');
      sent.push(report);
    },
  });
  const setAway = (value: boolean) => {
    isAway = value;
  };
  return { uses, sent, errors, setAway };
}

t.test('uses are reported by value and network, and never with an address', async (t) => {
  const { uses, sent } = collector();
  const [present, old] = [caller('key_1', 'aaaa'), caller('key_1', 'bbbb')];
  for (const address of [IP, '203.0.113.9', '::ffff:203.0.113.7']) uses.note(present, address);
  uses.note(old, IP);
  uses.note(present, '2001:db8:1:2::1');
  uses.note(present, 'gone');
  await uses.close();
  t.strictSame(sent, [
    {
      clients: [],
      networks: [
        network('aaaa', '203.0.113.0/24', 3),
        network('aaaa', '2001:db8:1::/48', 1),
        network('bbbb', '203.0.113.0/24', 1),
      ],
    },
  ]);
  await uses.close();
  t.equal(sent.length, 1, 'nothing is sent twice');
});

t.test('a client is reported once for each key, and the last one of the key', async (t) => {
  const { uses, sent } = collector();
  const [one, two] = [caller('key_1'), caller('key_2', 'bbbb', 'acc_2')];
  for (let i = 0; i < 3; i++) uses.note(one, IP, NODE);
  uses.note(two, IP, NODE);
  uses.note(two, IP, PYTHON, 1);
  uses.note(caller('key_1', 'rolled'), IP, undefined, 2);
  await uses.close();
  t.strictSame(
    sent.map(({ clients }) => clients),
    [[client('key_1', 'verdict-node/0.2.0', 2), client('key_2', 'verdict-python/0.3.0', 1, 'acc_2')]],
  );
});

t.test('other programs are no clients, but the IPs that they left out count', async (t) => {
  const { uses, sent } = collector();
  for (const agent of [
    'curl/8.5.0',
    'verdict-node',
    'verdict-node/0.2.0<script>',
    `verdict-node/${'1'.repeat(40)}.0.0`,
  ])
    uses.note(caller(`key_${agent.length}`), IP, agent);
  const one = caller('key_1');
  uses.note(one, IP, 'curl/8.5.0', 1);
  uses.note(one, IP, NODE, 2);
  uses.note(one, IP, 'curl/8.5.0', 3);
  await uses.close();
  t.strictSame(sent[0]?.clients, [client('key_1', 'verdict-node/0.2.0', 6)]);
});

t.test('a report that fails is sent with the next one, and counts nothing twice', async (t) => {
  const { uses, sent, errors, setAway } = collector(1);
  const one = caller('key_1');
  setAway(true);
  uses.note(one, IP, NODE, 4);
  await eventually(() => errors.length > 0);
  uses.note(one, IP, NODE, 1);
  uses.note(one, '198.51.100.7');
  setAway(false);
  await eventually(() => sent.length > 0);
  await uses.close();
  t.strictSame(sent, [
    {
      clients: [client('key_1', 'verdict-node/0.2.0', 5)],
      networks: [network('aaaa', '203.0.113.0/24', 2), network('aaaa', '198.51.100.0/24', 1)],
    },
  ]);
});

t.test('a flood from many addresses takes no more memory than a report, and hides no client', async (t) => {
  const { uses, sent } = collector();
  const flooded = caller('key_1');
  for (let i = 0; i < 3 * KEY_USES_MAX; i++) uses.note(flooded, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  uses.note(flooded, '10.0.0.0');
  uses.note(caller('key_2'), IP, NODE);
  await uses.close();
  const requests = sent[0]?.networks.reduce((sum, use) => sum + use.requests, 0);
  t.equal(requests, KEY_USES_MAX + 1, 'known addresses are counted on');
  t.strictSame(sent[0]?.clients, [client('key_2', 'verdict-node/0.2.0')]);
});

t.test('a report is bounded, and a key that found no place in it is in the next', async (t) => {
  const { uses, sent } = collector(1);
  const callers = Array.from({ length: CLIENT_USES_MAX + 1 }, (_, i) => caller(`key_${i}`));
  for (const one of callers) uses.note(one, IP, NODE);
  await eventually(() => sent.length > 0);
  uses.note(callers.at(-1) as Caller, IP, NODE);
  await uses.close();
  t.strictSame(
    sent.map(({ clients }) => clients.length),
    [CLIENT_USES_MAX, 1],
  );
});
