import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import type { TestStack } from '@verdict/local-stack/start-stack.js';

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
  /** Another address than the attacker's first. */
  readonly from?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: attacks look into any answer
export type Reply = any;

export interface AttackingAccount {
  readonly byKey: Readonly<Record<string, string>>;
  readonly byToken: Readonly<Record<string, string>>;
}

export type Attacker = ReturnType<typeof createAttacker>;

/** The means of one attack: addresses that no other client uses, connections, loops, and their end. */
export function createAttacker(stack: TestStack, number: number) {
  const { hostname: host, port } = new URL(stack.baseUrls[0] ?? '');
  const first = `127.40.${number}.1`;
  const closing: (() => unknown)[] = [];
  const loops: Promise<void>[] = [];
  let isOver = false;

  const ask = async (path: string, { method, headers, body, from = first }: Asked = {}): Promise<Reply> => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const type = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
    const asked = request({
      ...{ host, port, path: `/api/v1/${path}`, localAddress: from, agent: false },
      method: method ?? (text === undefined ? 'GET' : 'POST'),
      headers: { ...type, ...headers },
    });
    closing.push(() => asked.destroy());
    asked.end(text);
    const [answer] = await once(asked, 'response');
    return json(answer).catch(() => undefined);
  };

  return {
    stack,
    ask,
    onEnd: (close: () => unknown) => void closing.push(close),

    /** An address of this attack. */
    addressOf: (i: number) => `127.40.${number}.${i + 1}`,

    async account(plan = 'free'): Promise<AttackingAccount> {
      const { email, password, apiKey } = await stack.createAccount(plan);
      const { access } = await ask('auth/jwt/create/', { body: { email, password } });
      return { byKey: { 'x-api-key': apiKey }, byToken: { authorization: `Bearer ${access}` } };
    },

    /** Sends exactly this text and reads nothing. */
    async say(text: string, localAddress = first): Promise<Socket> {
      const socket = connect({ host, port: Number(port), localAddress });
      await once(socket, 'connect');
      closing.push(() => socket.destroy());
      socket.on('error', () => undefined).write(text);
      return socket;
    },

    /** Repeats the work in so many loops until the attack ends. A refusal changes nothing. */
    loop(count: number, work: () => Promise<unknown>): void {
      for (let i = 0; i < count; i++)
        loops.push(
          (async () => {
            while (!isOver) await work().catch(() => undefined);
          })(),
        );
    },

    async end(): Promise<void> {
      isOver = true;
      for (const close of closing.reverse()) await close();
      await Promise.all(loops);
    },
  };
}
