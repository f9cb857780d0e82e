import type { CheckOutcome, Decision } from '@verdict/sdk';
import type { BetterAuthPlugin } from 'better-auth';

export interface VerdictOptions {
  /** Give it a `fallback`: without one an outage of Verdict refuses every sign-up. */
  readonly client: {
    check(input: { email: string; ip: string | null }): Promise<CheckOutcome<Decision>>;
  };
  /** Decisions that refuse a sign-up; `['block']` by default. */
  readonly refuse?: readonly Decision[];
  /** The sentence of a refusal; the same for every reason. */
  readonly message?: string;
  /** Page for errors of OAuth and links; a refusal arrives there as `?error=sign_up_refused`. */
  readonly errorPage?: string;
  /** The visitor's IP; by default the last entry of `X-Forwarded-For`. */
  readonly ip?: (headers: Headers) => string | undefined;
  /**
   * Fields of the new user where the decision is neither allowed nor refused. The default is `{ emailVerified: false }`, so that
   * with `requireEmailVerification` the person confirms the address, after OAuth too.
   */
  readonly onChallenge?: (
    outcome: CheckOutcome<Decision>,
    user: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Sees every outcome: log `outcome.fallback` here. */
  readonly onOutcome?: (outcome: CheckOutcome<Decision>, email: string) => void | Promise<void>;
}

/** A plugin for better-auth that asks Verdict before a user is created and before a first magic link is mailed. */
export function verdict(options: VerdictOptions): BetterAuthPlugin;
