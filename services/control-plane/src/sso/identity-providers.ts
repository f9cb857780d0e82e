import { ssoFailed, ssoUnavailable, tooManyRequests, unavailable } from '@verdict/service-kit/errors.js';
import { inTurn } from '@verdict/shares/in-turn.js';
import { createSemaphore } from '@verdict/shares/semaphore.js';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { createGuardedFetch, type Guard } from './guarded-fetch.js';

/** Verdict as a provider knows it. */
export interface Client {
  /** The account that named the provider, or the operators: its steps take their places. */
  readonly owner: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim that lists the groups of a person, where they matter. */
  readonly groupsClaim?: string;
}

/** Values that a login has to show when the provider sends the browser back. */
export interface Expected {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** A person, as the provider describes them. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** null where the provider does not say. */
  readonly isVerified: boolean | null;
  readonly name: string | null;
  /** The Google Workspace that manages the person; null for everybody else. */
  readonly workspace: string | null;
  readonly groups: readonly string[];
}

const CLOCK_SKEW_SECONDS = 60;
const AT_ONCE = 16;
const AT_ONCE_OF_ACCOUNT = 6;
const WAITING_MAX = 64;
const RETRY_SECONDS = 5;

export type IdentityProviders = ReturnType<typeof createIdentityProviders>;

/**
 * OpenID Connect with the providers of customers. Each step reads the configuration and the keys again, so that new keys
 * work immediately; a provider that hangs takes only places of the account that named it.
 */
export function createIdentityProviders(guard: Guard, deadlineMs: number) {
  const places = createSemaphore({ capacity: AT_ONCE, queueMax: WAITING_MAX, ownerMax: AT_ONCE_OF_ACCOUNT });

  const step = <T>(
    client: Client,
    signal: AbortSignal,
    work: (config: Configuration) => Promise<T>,
  ): Promise<T> =>
    inTurn(places, () => withProvider(guard, deadlineMs, client, work), {
      owners: [client.owner],
      signal,
      refusal: (why) => (why === 'many' ? tooManyRequests(RETRY_SECONDS) : unavailable('identity providers')),
    });

  return {
    /** Throws unless the provider answers for this issuer. */
    probe: (client: Client, signal: AbortSignal): Promise<void> =>
      step(client, signal, async () => undefined),

    /** The page of the provider for one login, and what it has to come back with. */
    begin: (
      client: Client,
      signal: AbortSignal,
      callback: string,
      email?: string,
    ): Promise<{ url: string; expected: Expected }> =>
      step(client, signal, async (config) => {
        const expected = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
        const url = buildAuthorizationUrl(config, {
          redirect_uri: callback,
          scope: scopeOf(client, config),
          code_challenge: await calculatePKCECodeChallenge(expected.verifier),
          code_challenge_method: 'S256',
          state: expected.state,
          nonce: expected.nonce,
          ...(email !== undefined && { login_hint: email }),
        });
        // The browser opens it: a document of the provider must not name a script.
        if (url.protocol !== new URL(client.issuer).protocol) throw new Error(`no page at ${url.protocol}`);
        return { url: url.href, expected };
      }),

    /** The person of an answer. Throws `sso_failed` for one that was forged, used before, late or of another login. */
    finish: (
      client: Client,
      signal: AbortSignal,
      callback: string,
      query: string,
      expected: Expected,
    ): Promise<Person> =>
      step(client, signal, async (config) => {
        const answer = new URL(callback);
        answer.search = query;
        const tokens = await authorizationCodeGrant(config, answer, {
          expectedState: expected.state,
          expectedNonce: expected.nonce,
          pkceCodeVerifier: expected.verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error('no ID token');
        const { groupsClaim } = client;
        const isThin =
          claims.email === undefined || (groupsClaim !== undefined && claims[groupsClaim] === undefined);
        const hasMore = isThin && config.serverMetadata().userinfo_endpoint !== undefined;
        const told = hasMore
          ? { ...claims, ...(await fetchUserInfo(config, tokens.access_token, claims.sub)) }
          : claims;
        return {
          issuer: claims.iss,
          subject: claims.sub,
          email: typeof told.email === 'string' ? told.email : null,
          isVerified: typeof told.email_verified === 'boolean' ? told.email_verified : null,
          name: typeof told.name === 'string' ? nameOf(told.name) : null,
          workspace: typeof claims.hd === 'string' ? claims.hd : null,
          groups: groupsClaim === undefined ? [] : textsOf(told[groupsClaim]),
        };
      }),
  };
}

/** The deadline is for all requests together: configuration, keys, token and claims. */
async function withProvider<T>(
  guard: Guard,
  deadlineMs: number,
  { issuer, clientId, clientSecret }: Client,
  work: (config: Configuration) => Promise<T>,
): Promise<T> {
  const ended = AbortSignal.timeout(deadlineMs);
  const ask = createGuardedFetch(guard, ended);
  // Whether the provider failed to answer, or answered what cannot be trusted.
  let isAway = false;
  const asking: CustomFetch = async (url, options) => {
    try {
      const response = await ask(url, options);
      isAway = response.status >= 500;
      return response;
    } catch (error) {
      isAway = true;
      throw error;
    }
  };
  const server = new URL(issuer);
  let config: Configuration | undefined;
  try {
    config = await discovery(
      server,
      clientId,
      { [clockTolerance]: CLOCK_SKEW_SECONDS },
      authOf(clientSecret),
      {
        [customFetch]: asking,
        timeout: deadlineMs / 1_000,
        // Checks signatures of ID tokens as well as the connection that they came by.
        execute: [
          enableNonRepudiationChecks,
          ...(server.protocol === 'http:' ? [allowInsecureRequests] : []),
        ],
      },
    );
    // One issuer for many organisations would let each of them in.
    if (new URL(config.serverMetadata().issuer).href !== server.href)
      throw new Error(`the configuration is of ${config.serverMetadata().issuer}`);
    return await work(config);
  } catch (error) {
    const detail = { provider: server.host, why: reasonOf(error) };
    throw config === undefined || isAway ? ssoUnavailable(detail) : ssoFailed(detail);
  }
}

/** Providers that have a scope for groups tell them with it alone. */
const scopeOf = ({ groupsClaim }: Client, config: Configuration): string =>
  groupsClaim !== undefined && config.serverMetadata().scopes_supported?.includes('groups')
    ? 'openid email profile groups'
    : 'openid email profile';

const nameOf = (name: string): string | null => name.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').slice(0, 100) || null;

const textsOf = (claim: unknown): readonly string[] =>
  [claim].flat().filter((one): one is string => typeof one === 'string');

/** Providers that list no way take the first; both send the secret over TLS. */
const authOf =
  (secret: string): ClientAuth =>
  (server, client, body, headers) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const auth = ways.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
    auth(secret)(server, client, body, headers);
  };

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
