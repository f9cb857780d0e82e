import { randomFillSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { IMPORT_ROWS_MAX } from '@verdict/contracts/dashboard/lists-api.js';
import { createApiKey } from '@verdict/domain/api-key.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startHttpServer } from '../harness/start-http-server.js';
import { ATTACKED } from './attacked-routes.js';
import type { Attacker } from './attacker.js';
import { ENDLESS, makeSearchesEndless } from './endless-searches.js';
import { fillAccount } from './fill-account.js';
import { largestRequest, wideFile } from './largest-request.js';
import { wideJob } from './wide-job.js';

const MB = 1024 * 1024;
const CSV = { 'content-type': 'text/csv' };
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  [`GET /api/v1/${path} HTTP/1.1`, 'host: x', ...Object.entries(headers).map((pair) => pair.join(': '))]
    .join('\r\n')
    .concat('\r\n\r\n');

/** The attacks on what everybody shares, each as the review found it and as large as its limits let it be. */
export const ATTACKS: Readonly<Record<string, (attacker: Attacker) => Promise<void>>> = {
  async 'answers that nobody reads'(attacker) {
    const account = await attacker.account();
    const page = get(`jobs/${await wideJob(attacker, account)}/results/?limit=500`, account.byKey);
    for (let i = 0; i < 60; i++) await attacker.say(page);
  },

  async 'a list entry of a megabyte'({ account, hit, loop }) {
    const { byToken } = await account();
    const headers = { ...byToken, 'content-type': 'application/json' };
    const letters = Array.from({ length: 330_000 }, (_, i) =>
      String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000)),
    );
    const body = JSON.stringify({ entries: [`${letters.join('')}.com`] });
    loop(4, () => hit('lists/block/import/', { headers, body }));
  },

  async 'imports of as many rows as there may be'({ account, hit, loop }) {
    const { byToken } = await account();
    const headers = { ...byToken, 'content-type': 'application/json' };
    const entries = Array.from({ length: IMPORT_ROWS_MAX }, (_, i) => `m\u00fcller${i}.example`);
    const body = JSON.stringify({ entries });
    loop(4, () => hit('lists/block/import/', { headers, body }));
  },

  async 'wide pages and downloads'(attacker) {
    const account = await attacker.account();
    const path = `jobs/${await wideJob(attacker, account)}`;
    for (let i = 0; i < 8; i++) await attacker.say(get(`${path}/results.csv`, account.byKey));
    attacker.loop(4, () => attacker.hit(`${path}/results/?limit=500`, { headers: account.byKey }));
  },

  async 'test keys in a loop'({ account, ask, hit, loop }) {
    const { byToken: headers } = await account();
    const body = { items: Array.from({ length: 50 }, (_, i) => ({ email: `p${i}@gmail.com` })) };
    for (let i = 0; i < 4; i++) {
      const { api_key } = await ask('dashboard/keys/', { headers, body: { name: `t${i}`, mode: 'test' } });
      loop(1, () => hit('check/batch/', { headers: { 'x-api-key': api_key }, body }));
    }
  },

  async 'webhook endpoints that answer after 14 seconds'({ account, ask }) {
    const slow = await startHttpServer(async (incoming, response) => {
      incoming.resume();
      await delay(14_000);
      response.end();
    });
    for (let i = 0; i < 4; i++) {
      const { byToken: headers } = await account();
      for (let j = 0; j < 5; j++) {
        const { endpoint } = await ask('webhooks/endpoints/', { headers, body: { url: `${slow.url}/${j}` } });
        for (let k = 0; k < 2; k++)
          await ask(`webhooks/endpoints/${endpoint.id}/test/`, { method: 'POST', headers });
      }
    }
  },

  async 'downloads behind pipelined requests'({ addressOf, say }) {
    const text = get('openapi.json').repeat(8) + get('openapi.json?x=.csv').repeat(4);
    for (let i = 0; i < 40; i++) {
      const socket = await say(text, addressOf(i));
      setTimeout(() => socket.destroy(), 200).unref();
    }
  },

  async 'searches that find no end'({ account, addressOf, ask, databaseUrl, hit, loop }) {
    const searchers = [await account(), await account()];
    for (const { byKey, byToken: headers } of searchers) {
      await ask('check/', { headers: byKey, body: { email: `p@${ENDLESS}` } });
      await eventually(async () => (await ask('dashboard/logs/', { headers })).logs.length > 0);
    }
    await makeSearchesEndless(databaseUrl);
    for (const [i, { byToken: headers }] of searchers.entries())
      loop(40, () => hit(`lists/block/impact/?value=${ENDLESS}`, { headers }, addressOf(i)));
  },

  async 'files that arrive slowly'({ account, addressOf, say }) {
    const sockets: Awaited<ReturnType<typeof say>>[] = [];
    for (let i = 0; i < 4; i++) {
      const { byKey } = await account();
      const head = get('jobs/', { ...byKey, ...CSV, 'content-length': String(56 * MB) });
      for (let j = 0; j < 8; j++) sockets.push(await say(head.replace('GET', 'POST'), addressOf(i)));
    }
    setInterval(() => {
      for (const socket of sockets) if (!socket.destroyed) socket.write('x'.repeat(28 * 1024));
    }, 1_000);
  },

  async 'files that fill the store'({ account, ask, loop }) {
    const { byKey } = await account();
    const body = wideFile(60);
    loop(2, async () => {
      const id = await wideJob({ ask }, { byKey }, body);
      await ask(`jobs/${id}/cancel/`, { method: 'POST', headers: byKey });
    });
  },

  async 'batches that are refused'({ account, hit, loop }) {
    const { byKey: headers } = await account();
    const label = (word: string) => word.repeat(3);
    const items = Array.from({ length: 1_000 }, (_, i) => ({
      email: `p${i}@${label('bücher')}${i}.${label('straße')}.${label('münchen')}.com`,
      ip: '2001:db8::1',
    }));
    loop(8, () => hit('check/batch/', { headers, body: { items } }));
  },

  async 'batches of malformed items'({ account, hit, loop }) {
    const { byKey: headers } = await account();
    const body = (count: number) => ({ items: Array.from({ length: count }, () => ({ email: 'a@b' })) });
    loop(4, () => hit('check/batch/', { headers, body: body(1_000) }));
    loop(4, () => hit('check/batch/', { headers, body: body(50) }));
  },

  async 'batches that never end'({ account, addressOf, say }) {
    const { byKey } = await account();
    const type = { 'content-type': 'application/json', 'content-length': String(MB) };
    const head = get('check/batch/', { ...byKey, ...type }).replace('GET', 'POST');
    for (let i = 0; i < 400; i++) await say(head + ' '.repeat(MB - 8_000), addressOf(i % 100));
  },

  async 'every route at its largest'(attacker) {
    const account = await attacker.account();
    const ids = await fillAccount(attacker, account);
    for (const [i, route] of ATTACKED.entries()) {
      const { path, method, body, type } = largestRequest(route, ids);
      const headers = {
        ...(route.callers.startsWith('key') ? account.byKey : account.byToken),
        ...(type && { 'content-type': type }),
      };
      attacker.loop(1, () =>
        attacker.hit(path, { method, headers, ...(body && { body }) }, attacker.addressOf(i)),
      );
    }
  },

  async 'questions about somebody whose address fills a file'(attacker) {
    const account = await attacker.account();
    const email = 'jane@gmail.com';
    await wideJob(
      attacker,
      account,
      wideFile(1_000, () => email),
    );
    const asked = { headers: account.byToken, body: { email } };
    for (let i = 0; i < 8; i++)
      attacker.loop(1, () => attacker.hit('dashboard/subject.ndjson', asked, attacker.addressOf(i)));
  },

  async 'forged keys and bad bodies'({ account, hit, loop }) {
    const { byToken } = await account();
    const forged = () => ({ headers: { 'x-api-key': createApiKey(randomFillSync) } });
    loop(2, () => hit('jobs/', forged()));
    loop(2, () => hit('check/', { ...forged(), body: { email: 'a@example.com' } }));
    loop(2, () => hit('check/', { headers: byToken, body: { email: 1 } }));
  },
};
