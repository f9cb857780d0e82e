import { API_PREFIX } from '@verdict/contracts/api-paths.js';
import { ApiError } from './api-error.ts';
import type { Body, Reply } from './call.ts';
import { jsonBody, send } from './send.ts';

export type SessionState = 'unknown' | 'in' | 'out';

interface Message {
  readonly access: string | null;
  readonly left: boolean;
}

const LOCK = 'verdict-session';

/**
 * The session of this browser. The refresh token lies in a cookie that no script can read; here is only the access token,
 * in memory. A refresh token is good for one use, so tabs take turns: whoever holds the lock trades it, the others take
 * what that one got.
 */
class Session {
  #access: string | null = null;
  #state: SessionState = 'unknown';
  /** The user ended the session, here or in another tab; it did not run out. */
  left = false;
  readonly #listeners = new Set<() => void>();
  readonly #channel = new BroadcastChannel(LOCK);

  constructor() {
    this.#channel.onmessage = (event: MessageEvent<Message>) => {
      this.left = event.data.left;
      this.#set(event.data.access);
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): SessionState => this.#state;

  get access(): string | null {
    return this.#access;
  }

  async logIn(email: string, password: string, otp?: string): Promise<void> {
    const body: Body<'POST /auth/jwt/create/'> = { email, password, ...(otp ? { otp } : {}), cookie: true };
    await this.#enter('jwt/create', body);
  }

  /** Logs in with the answer of an identity provider; returns the address whose password has to confirm it first. */
  async signOn(query: string): Promise<string | null> {
    const body: Body<'POST /auth/sso/finish/'> = { query };
    const reply = await this.#enter('sso/finish', body);
    return 'email' in reply ? reply.email : null;
  }

  /** Confirms the answer before with the password of the login that the address has. */
  async connectSignOn(password: string, otp: string): Promise<void> {
    const body: Body<'POST /auth/sso/link/'> = { password, ...(otp && { otp }) };
    await this.#enter('sso/link', body);
  }

  async #enter(act: string, body: object): Promise<Reply<'POST /auth/sso/finish/'>> {
    const response = await send(`${API_PREFIX}/auth/${act}/`, jsonBody(body));
    if (!response.ok) throw await ApiError.from(response);
    const reply = (await response.json()) as Reply<'POST /auth/sso/finish/'>;
    if ('access' in reply) this.#announce(reply.access);
    return reply;
  }

  /** Continues with an access token for another account; every tab starts again there. */
  moveTo(access: string): void {
    this.#announce(access);
  }

  async logOut(): Promise<void> {
    await inTurn(async () => {
      await trade('logout').catch(() => null);
    });
    this.left = true;
    this.#announce(null);
  }

  /** A new access token in place of `stale`; false when the session has ended. */
  renew(stale: string | null): Promise<boolean> {
    return inTurn(async () => {
      if (this.#access !== stale) return this.#access !== null;
      const response = await trade('refresh');
      if (response.ok) {
        const { access } = (await response.json()) as Reply<'POST /auth/jwt/refresh/'>;
        this.#announce(access);
        return access !== null;
      }
      if (response.status >= 500 || response.status === 429) throw await ApiError.from(response);
      this.#announce(null);
      return false;
    });
  }

  #announce(access: string | null): void {
    if (access !== null) this.left = false;
    this.#set(access);
    this.#channel.postMessage({ access, left: this.left } satisfies Message);
  }

  #set(access: string | null): void {
    // The tab still shows the account before.
    if (this.#access && access && accountOf(this.#access) !== accountOf(access)) window.location.assign('/');
    this.#access = access;
    const state = access === null ? 'out' : 'in';
    if (state === this.#state) return;
    // The first answer is what the first page waits for; others need not hear of it.
    const first = this.#state === 'unknown';
    this.#state = state;
    if (first) return;
    for (const listener of this.#listeners) listener();
  }
}

/** The account that an access token is for. */
const accountOf = (access: string): unknown => {
  const [, claims = ''] = access.split('.');
  return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))).acc;
};

/**
 * It ends even when the page is left meanwhile. A trade that was cut off would have used up the old token while its
 * successor never arrived: whoever came back later would hold a used token, which ends a session.
 */
const trade = (act: 'refresh' | 'logout'): Promise<Response> =>
  send(`${API_PREFIX}/auth/jwt/${act}/`, { ...jsonBody({ cookie: true }), keepalive: true });

/** Browsers have locks on secure origins only; elsewhere a tab can only queue behind itself. */
let last: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (navigator.locks) return navigator.locks.request(LOCK, work) as Promise<T>;
  const turn = last.then(work, work);
  last = turn.catch(() => null);
  return turn;
}

export const session = new Session();
