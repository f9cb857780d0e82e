import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@verdict/local-stack/eventually.js';
import { type HttpRequest, http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { Webhook } from 'standardwebhooks';
import t from 'tap';

const KILLS = 3;
/** Messages that the receiver may be behind; four are sent to it at a time. */
const AHEAD_MAX = 20;
const PAUSE_MS = 20;

t.test(
  'kill -9 of worker and control plane loses no event, and what comes twice has the same id',
  async (t) => {
    const stack = await startStack({
      workers: 2,
      env: {
        worker: { WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1,1' },
        gateway: { REQUESTS_PER_MINUTE: 1_000_000 },
      },
    });
    t.teardown(() => stack.stop());
    const [base = ''] = stack.baseUrls;

    const bodies = new Map<string, Set<string>>();
    let secret = '';
    let forged = 0;
    let sending = 0;
    const receiver = createServer(async (request, response) => {
      sending++;
      response.once('close', () => sending--);
      const body = await text(request);
      const id = String(request.headers['webhook-id']);
      try {
        new Webhook(secret).verify(body, request.headers as Record<string, string>);
      } catch {
        forged++;
      }
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
      // Long enough that the killed process can be waiting for this answer.
      await delay(100);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    t.teardown(() => {
      receiver.closeAllConnections();
      receiver.close();
    });

    const user = { email: 'killed@example.com', password: 'vivid-otter-harbour-9' };
    const registered = await http<{ account: { id: string } }>(`${base}auth/users/`, { json: user });
    const accountId = registered.body.account.id;
    const { body: tokens } = await http<{ access: string }>(`${base}auth/jwt/create/`, { json: user });
    const headers = { authorization: `Bearer ${tokens.access}` };
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const added = await http<{ secret: string }>(`${base}webhooks/endpoints/`, { json: { url }, headers });
    secret = added.body.secret;

    const answered = new Set<string>();
    let isDone = false;
    let asking = 0;
    async function ask<T>(path: string, request: HttpRequest = {}) {
      asking++;
      const answer = await http<T>(`${base}dashboard/keys/${path}`, { headers, ...request }).catch(
        () => undefined,
      );
      asking--;
      return answer;
    }
    async function load(): Promise<void> {
      while (!isDone) {
        // Far enough ahead that there is always something to send, and no further: the end waits for all of it.
        if (answered.size > bodies.size + AHEAD_MAX) {
          await delay(PAUSE_MS);
          continue;
        }
        const made = await ask<{ key?: { id: string } }>('', { json: { name: 'k' } });
        const { key } = made?.body ?? {};
        if (!key) {
          // Keys of requests whose answer was lost count among the five: end them all.
          const found = await ask<{ keys?: { id: string }[] }>('');
          for (const { id } of found?.body.keys ?? []) await ask(`${id}/`, { method: 'DELETE' });
          // Polling without a pause would take the processor from the restarting process.
          await delay(PAUSE_MS);
          continue;
        }
        answered.add(`key.created ${key.id}`);
        const ended = await ask(`${key.id}/`, { method: 'DELETE' });
        if (ended?.status === 200) answered.add(`key.revoked ${key.id}`);
      }
    }
    const loading = load();
    for (let kill = 0; kill < KILLS; kill++) {
      const before = bodies.size;
      // In the middle of a message and of a request: that is where something could be lost.
      await eventually(() => bodies.size >= before + 3 && sending > 0 && asking > 0, {
        withinMs: 240_000,
        everyMs: 5,
      });
      const victim = stack.workers[kill % 2];
      await Promise.all([victim?.kill(), stack.controlPlane.kill()]);
      await Promise.all([victim?.restart(), stack.controlPlane.restart()]);
    }
    isDone = true;
    await loading;

    const rows = await eventually(
      async () => {
        const found = await stack.sql<{ id: string; name: string; status: string }>(
          `SELECT e.id, e.type || ' ' || (e.data->>'key_id') AS name, d.status
         FROM webhook_events e LEFT JOIN webhook_deliveries d ON d.event_id = e.id WHERE e.account_id = $1`,
          [accountId],
        );
        return found.every(({ status }) => status === 'delivered') && found;
      },
      { withinMs: 300_000, everyMs: 250 },
    );
    t.same(
      [...bodies.keys()].sort(),
      rows.map(({ id }) => id).sort(),
      'what was committed has arrived, and no more',
    );
    const told = new Set(rows.map(({ name }) => name));
    t.same(
      [...answered].filter((name) => !told.has(name)),
      [],
      'and what was answered was committed',
    );
    t.ok(
      [...bodies.values()].every((variants) => variants.size === 1),
      'one id, one body',
    );
    t.equal(forged, 0);
    t.comment(`${rows.length} events over ${KILLS} kills of either`);
  },
);
