import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider';
import { startHttpServer } from './start-http-server.js';

export type Claims = Readonly<Record<string, unknown>>;
type SigningKey = ReturnType<typeof newKey>;

export const CLIENT = { id: 'verdict', secret: randomBytes(32).toString('hex') };

/** Ways to fail that a real provider has no setting for. */
const FAILURES = {
  silent: () => undefined,
  endless(_request: IncomingMessage, response: ServerResponse) {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      if (!response.destroyed) response.write('{"a": "'.padEnd(65_536, 'x'), more);
    };
    more();
  },
  broken(_request: IncomingMessage, response: ServerResponse) {
    response.writeHead(500).end();
  },
  redirecting(_request: IncomingMessage, response: ServerResponse) {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  },
};

const newKey = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    ...privateKey.export({ format: 'jwk' }),
    kid: randomBytes(4).toString('hex'),
    use: 'sig',
    alg: 'RS256',
  };
};

/** The store of a provider, which the next one with other keys takes over. */
function memory() {
  const all = new Map<string, AdapterPayload>();
  return (model: string): Adapter => {
    const at = (id: string) => `${model} ${id}`;
    const findBy = async (name: 'uid' | 'userCode', value: string) =>
      [...all].find(([key, payload]) => key.startsWith(`${model} `) && payload[name] === value)?.[1];
    return {
      upsert: async (id, payload) => void all.set(at(id), payload),
      find: async (id) => all.get(at(id)),
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (code) => findBy('userCode', code),
      consume: async (id) => void Object.assign(all.get(at(id)) ?? {}, { consumed: true }),
      destroy: async (id) => void all.delete(at(id)),
      async revokeByGrantId(grantId) {
        for (const [key, payload] of all) if (payload.grantId === grantId) all.delete(key);
      },
    };
  };
}

/** A real identity provider on loopback that logs in whom `login_hint` names, without asking, and can be made to lie. */
export async function startIdentityProvider(...callbacks: readonly string[]) {
  /** Claims by the address that begins the login; `sub` is the account there. */
  const people = new Map<string, { readonly sub: string } & Claims>();
  const adapter = memory();
  const allowed = [...callbacks];
  let key = newKey();
  let provider: Provider;
  const state: {
    failure?: keyof typeof FAILURES;
    /** Changes what ID tokens say. */
    lie?: (claims: Claims) => Claims;
    /** Signs ID tokens in place of the provider's key, or leaves them unsigned. */
    forger?: SigningKey | 'none';
    /** Requests that the token endpoint received. */
    readonly tokenRequests: string[];
    /** The person at the browser, where the login names none. */
    visitor?: string;
  } = { tokenRequests: [] };

  const server = await startHttpServer((request, response) => {
    if (state.failure) return FAILURES[state.failure](request, response);
    const path = request.url ?? '';
    if (path.startsWith('/interaction/')) return void interact(request, response);
    if (path.startsWith('/token')) {
      state.tokenRequests.push(path);
      const end = response.end.bind(response) as (text: string) => ServerResponse;
      response.end = (text: unknown) => end(altered(String(text), response));
    }
    void provider.callback()(request, response);
  });

  function altered(text: string, response: ServerResponse): string {
    if (response.statusCode !== 200 || (!state.lie && !state.forger)) return text;
    const tokens = JSON.parse(text) as { id_token: string };
    const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString());
    const changed = JSON.stringify({
      ...tokens,
      id_token: signed(state.lie?.(claims) ?? claims, state.forger ?? key),
    });
    response.setHeader('content-length', Buffer.byteLength(changed));
    return changed;
  }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response);
    const accountId = people.get(String(params.login_hint ?? state.visitor))?.sub;
    await provider.interactionFinished(request, response, { login: { accountId: accountId ?? 'none' } });
  }

  /** New keys; logins that are under way can still be finished. */
  function rotate(): void {
    key = newKey();
    provider = new Provider(server.url, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [...allowed] }],
      adapter,
      jwks: { keys: [key] },
      cookies: { keys: ['cookies of tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx, sub) => ({
        accountId: sub,
        claims: () => [...people.values()].find((person) => person.sub === sub) ?? { sub },
      }),
      async loadExistingGrant(ctx) {
        const { client, session, provider: own } = ctx.oidc;
        const grant = new own.Grant({
          clientId: client?.clientId ?? '',
          accountId: session?.accountId ?? '',
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
  }
  rotate();

  return {
    issuer: server.url,
    people,
    state,
    rotate,
    newKey,
    /** Lets one more page be where people are sent back to. */
    allow(callback: string): void {
      allowed.push(callback);
      rotate();
    },
    stop: server.stop,
  };
}

function signed(claims: Claims, by: SigningKey | 'none'): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  if (by === 'none') return `${part({ alg: 'none' })}.${part(claims)}.`;
  const { kid, ...jwk } = by;
  const text = `${part({ alg: 'RS256', kid })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), createPrivateKey({ key: jwk, format: 'jwk' }));
  return `${text}.${signature.toString('base64url')}`;
}
