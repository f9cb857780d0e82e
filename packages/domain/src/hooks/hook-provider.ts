/** A request as the provider sent it; signatures cover the bytes, so the body is not parsed yet. */
export interface HookRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** The sign-up that a payload is about. */
export interface SignUp {
  /** The provider's name of the event: retries carry the same one. */
  readonly eventId: string;
  /** Null for a sign-up without an address, such as one by telephone. */
  readonly email: string | null;
  readonly ip: string | null;
  /** Why there is nothing to check. */
  readonly skipped: 'invited' | 'other_event' | null;
}

export interface HookVerdict {
  readonly refused: boolean;
  /** Shown to the person who signs up. */
  readonly message: string;
  /** Null when no check was made. */
  readonly decision: string | null;
  readonly logId: string | null;
}

export interface HookAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The contract of one provider: how it signs, where it puts address and IP, and which answer refuses a sign-up. */
export interface HookProvider {
  createSecret(): string;
  /** The rule that a secret breaks, or null. */
  secretFault(secret: string): string | null;
  isSigned(request: HookRequest, secret: string, nowMs: number): boolean;
  read(payload: Payload, request: HookRequest): SignUp;
  answer(verdict: HookVerdict, about: { payload: Payload; secret: string; nowMs: number }): HookAnswer;
  /** Names of fields without personal data, which deliveries show as they came. */
  readonly shownFields: readonly string[];
  /** The documented payload about an address, for tests of a hook. */
  sample(
    signUp: { readonly id: string; readonly email: string; readonly ip: string },
    nowMs: number,
  ): Payload;
  /** The headers with which the provider would send a body. */
  sign(body: string, id: string, secret: string, nowMs: number): Record<string, string>;
}

export type Payload = Readonly<Record<string, unknown>>;

/** A signature counts for five minutes, before and after; the same five that Standard Webhooks recommends. */
const SIGNATURE_MS = 300_000;

export const isRecent = (atMs: number, nowMs: number): boolean => Math.abs(nowMs - atMs) <= SIGNATURE_MS;
