import type { CheckResult, Decision, OutcomesResult, StatusResult, UsageResult } from './answers.js';
import { checkInParts } from './check-in-parts.js';
import { isBatchOf, isCheck, isOutcomes, isStatus, isUsage } from './is-answer.js';
import { createJobs, type Jobs } from './jobs.js';
import type {
  BatchOptions,
  CallOptions,
  CheckOptions,
  CheckOutcome,
  FallbackResult,
  VerdictOptions,
} from './options.js';
import { positive } from './positive.js';
import { type Call, createSendCall, type SendCall } from './send-call.js';
import type { BatchItem, BatchItemResult, CheckInput, Expansion, OutcomeItem } from './types.js';
import { createUsableIps, type UsableIps } from './usable-ip.js';
import { VerdictError } from './verdict-error.js';

export type * from './answers.js';
export type { JobFile } from './job-file.js';
export type { CreateJobOptions, Jobs, ResultOptions, WaitOptions } from './jobs.js';
export type * from './options.js';
export type { Fetch } from './send-once.js';
export type * from './types.js';
export { type ErrorCode, VerdictError } from './verdict-error.js';
export { verifyWebhook, type WebhookHeaders } from './verify-webhook.js';

const FIRST_BATCH = 50;
/** The time that a batch may take per item beyond that of a single check. */
const ITEM_MS = 10;

export class Verdict<F extends Decision | undefined = undefined> {
  readonly #timeoutMs: number;
  readonly #fallback: F | undefined;
  readonly #ips: UsableIps;
  readonly #call: SendCall;
  /** Bulk jobs: files of addresses. */
  readonly jobs: Jobs;

  constructor(options: VerdictOptions<F> = {}) {
    this.#timeoutMs = positive('timeoutMs', options.timeoutMs ?? 1_000);
    this.#fallback = options.fallback;
    // biome-ignore lint/suspicious/noConsole: whoever gave no other place is to see it
    this.#ips = createUsableIps(options.warn ?? ((message) => console.warn(message)));
    this.#call = createSendCall(options, this.#timeoutMs);
    this.jobs = createJobs(
      async <T>(call: Call<T>, options: CallOptions) => (await this.#call<T>(call, options)).body,
    );
  }

  /** How many values of `ip` were none and were dropped; lists and rules by network did not see those checks. */
  get ipsDropped(): number {
    return this.#ips.dropped;
  }

  /** Scores an address. Throws a VerdictError, unless the `fallback` applies. */
  async check(input: string | CheckInput, options: CheckOptions = {}): Promise<CheckOutcome<F>> {
    const { email, ip, tag } =
      typeof input === 'string' ? { email: input, ip: null, tag: undefined } : (input ?? {});
    if (!email) throw noEmail();
    const usable = this.#ips.read(ip);
    const isDropped = Boolean(ip) && usable === undefined;
    const dropped = isDropped ? { ipDropped: true as const } : {};
    try {
      const { body } = await this.#call<CheckResult>(
        {
          method: 'POST',
          path: `check/${queryOf(options.expand)}`,
          isAnswer: isCheck,
          json: { email, ip: usable, tag },
          isCharged: true,
          isInteractive: true,
          droppedIps: isDropped ? 1 : 0,
          idempotencyKey: options.idempotencyKey,
        },
        options,
      );
      return { ...body, ...dropped } as CheckOutcome<F>;
    } catch (error) {
      const standIn = this.#fallback;
      if (standIn === undefined || !(error instanceof VerdictError) || !error.validatorUnavailable)
        throw error;
      const result: FallbackResult = {
        success: false,
        id: null,
        email,
        ip: ip ?? null,
        decision: standIn,
        fallback: error,
        ...dropped,
      };
      return result as CheckOutcome<F>;
    }
  }

  /**
   * Checks any number of addresses, in requests as large as the plan allows. Results come in the order of the items; one
   * that is malformed has `error` instead of `check`. A request that is too fast waits for its turn; deadline and retries
   * are for each request (30 s and 10 by default). Throws where a single check would, whatever the `fallback`, and sends
   * nothing more; `error.results` has what was answered, each at the index of its item.
   */
  async checkBatch(items: readonly BatchItem[], options: BatchOptions = {}): Promise<BatchItemResult[]> {
    const results: BatchItemResult[] = [];
    try {
      for await (const result of this.checkEach(items, options)) results.push(result);
    } catch (error) {
      if (!(error instanceof VerdictError)) throw error;
      const answered = Object.assign([...results], error.results);
      throw new VerdictError(error.message, { ...error, results: answered }, { cause: error.cause });
    }
    return results;
  }

  /** As `checkBatch`, one result after the other, for more items than fit in memory. `error.results` has what was answered and not yet read. */
  checkEach(
    items: Iterable<BatchItem> | AsyncIterable<BatchItem>,
    options: BatchOptions = {},
  ): AsyncGenerator<BatchItemResult, void, undefined> {
    const perRequest = { deadlineMs: 30_000, retries: 10, ...options };
    return checkInParts(items, {
      firstSize: positive('batchSize', options.batchSize ?? FIRST_BATCH),
      concurrency: positive('concurrency', options.concurrency ?? 2),
      send: (part, isGivenUp) => {
        const usable = part.map((item) => ({ ...item, ip: this.#ips.read(item.ip) }));
        return this.#call<{ results: BatchItemResult[] }>(
          {
            method: 'POST',
            path: `check/batch/${queryOf(options.expand)}`,
            isAnswer: isBatchOf(part.length),
            json: { items: usable },
            timeoutMs: this.#timeoutMs + part.length * ITEM_MS,
            isCharged: true,
            droppedIps: part.filter(({ ip }, i) => ip && !usable[i]?.ip).length,
            isGivenUp,
          },
          perRequest,
        );
      },
    });
  }

  /**
   * Says what became of checked people: at most 1,000 items, by the `id` of a check or by address. Never counts, and is
   * safe to repeat: the last word wins. Needs a key with the scope `outcomes`.
   */
  async outcomes(items: readonly OutcomeItem[], options: CallOptions = {}): Promise<OutcomesResult> {
    const call: Call<OutcomesResult> = {
      method: 'POST',
      path: 'outcomes/',
      isAnswer: isOutcomes,
      json: { items },
      timeoutMs: this.#timeoutMs + items.length * ITEM_MS,
    };
    return (await this.#call<OutcomesResult>(call, options)).body;
  }

  /** Whether the service is up and the key valid, and which data is loaded. Never counts. */
  async status(options: CallOptions = {}): Promise<StatusResult> {
    return (await this.#call<StatusResult>({ method: 'GET', path: 'status/', isAnswer: isStatus }, options))
      .body;
  }

  /** Usage of the running month. Never counts. */
  async usage(options: CallOptions = {}): Promise<UsageResult> {
    return (await this.#call<UsageResult>({ method: 'GET', path: 'usage/', isAnswer: isUsage }, options))
      .body;
  }
}

const queryOf = (expand: readonly Expansion[] = []): string =>
  expand.length > 0 ? `?expand=${expand.join(',')}` : '';

/** Returns the answer that the service would give, without asking it. */
const noEmail = () =>
  new VerdictError('email: is required', {
    code: 'invalid_request',
    status: 400,
    errors: [{ field: 'email', message: 'is required' }],
  });
