import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import type { SeededAccount } from '@verdict/local-stack/stack-view.js';

/** The argument of an attack's process. */
export interface AttackOrder {
  readonly attack: string;
  /** Of this run of the attack: it decides over its addresses. */
  readonly number: number;
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly accounts: readonly SeededAccount[];
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

// biome-ignore lint/suspicious/noExplicitAny: attacks look into any answer
export type Reply = any;

export interface AttackingAccount {
  readonly byKey: Readonly<Record<string, string>>;
  readonly byToken: Readonly<Record<string, string>>;
}

export type Attacker = ReturnType<typeof createAttacker>;

/** The means of one attack: addresses that no other client uses, accounts, connections and loops, until its process is killed. */
export function createAttacker({ number, baseUrl, databaseUrl, accounts }: AttackOrder) {
  const { hostname: host, port } = new URL(baseUrl);
  const first = `127.40.${number}.1`;
  const unused = [...accounts];

  const send = async (path: string, { method, headers, body }: Asked = {}, localAddress = first) => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const type = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
    const asked = request({
      ...{ host, port, path: `/api/v1/${path}`, localAddress, agent: false },
      method: method ?? (text === undefined ? 'GET' : 'POST'),
      headers: { ...type, ...headers },
    });
    asked.end(text);
    const [answer] = await once(asked, 'response');
    return answer;
  };
  const ask = async (path: string, asked?: Asked): Promise<Reply> => {
    const answer = await send(path, asked);
    const body = await json(answer);
    if (answer.statusCode >= 400)
      throw new Error(`${path} was answered ${answer.statusCode}: ${JSON.stringify(body)}`);
    return body;
  };

  return {
    databaseUrl,
    ask,
    /** Sends a request and throws the answer away unread, because an attacker has better things to do than to parse it. */
    async hit(path: string, asked?: Asked, localAddress?: string): Promise<void> {
      const answer = await send(path, asked, localAddress);
      await once(answer.resume(), 'close');
    },

    /** An address of this attack. */
    addressOf: (i: number) => `127.40.${number}.${i + 1}`,

    async account(): Promise<AttackingAccount> {
      const { email, password, apiKey } = unused.pop() as SeededAccount;
      const { access } = await ask('auth/jwt/create/', { body: { email, password } });
      return { byKey: { 'x-api-key': apiKey }, byToken: { authorization: `Bearer ${access}` } };
    },

    /** Sends exactly this text and reads nothing. */
    async say(text: string, localAddress = first): Promise<Socket> {
      const socket = connect({ host, port: Number(port), localAddress });
      await once(socket, 'connect');
      socket.on('error', () => undefined).write(text);
      return socket;
    },

    /** Repeats the work in so many loops. A refusal changes nothing. */
    loop(count: number, work: () => Promise<unknown>): void {
      const repeat = async () => {
        for (;;) await work().catch(() => undefined);
      };
      for (let i = 0; i < count; i++) void repeat();
    },
  };
}
