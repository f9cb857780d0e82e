import type { ErrorBodySchema } from '@verdict/contracts/error-api.js';
import type { Static } from 'typebox';

type ErrorBody = Static<typeof ErrorBodySchema>;

/** Codes that this side gives: no answer came, or one that is not of our API. */
const UNREACHABLE = 'unreachable';
const UNREADABLE = 'unreadable_answer';
/** The server answers, but a part behind it does not. */
const UNAVAILABLE = 'unavailable';

export const isAway = (status: number): boolean => status === 502 || status === 503 || status === 504;

/** Every failed request: a sentence for people, a code for programs, and the request id to ask about. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: readonly { readonly field: string; readonly message: string }[] = [],
    readonly requestId: string | null = null,
    /** Columns found in a file whose addresses were not. */
    readonly columns: readonly string[] = [],
    /** The share of the last checks that a policy would block. */
    readonly share: number | null = null,
    /** A larger plan has more room. Refusals of checks name one too; pages that check say it themselves. */
    readonly isOfPlan = false,
  ) {
    super(message);
  }

  static unreachable(): ApiError {
    return new ApiError(0, UNREACHABLE, 'Cannot reach Verdict.');
  }

  static async from(response: Response): Promise<ApiError> {
    const requestId = response.headers.get('x-request-id');
    const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null;
    if (typeof body?.error !== 'string') {
      const sentence = 'The server sent an answer this page cannot read. Try again in a minute.';
      return new ApiError(response.status, UNREADABLE, sentence, [], requestId);
    }
    const { error, code = UNREADABLE, errors = [], columns = [], share = null, upgrade_url: upgrade } = body;
    const isOfPlan = upgrade !== undefined && !('checks_limit' in body);
    return new ApiError(response.status, code, error, errors, requestId, columns, share, isOfPlan);
  }

  /** Worth asking again without anybody doing anything. */
  get passing(): boolean {
    if (this.code === UNREACHABLE) return true;
    return isAway(this.status) && (this.code === UNAVAILABLE || this.code === UNREADABLE);
  }
}
