/** One entry of `errors` in a 400: which field, and what is wrong with it. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
  /** The suggested correction, if it is clear. */
  readonly suggestion?: string;
}

type Extra = Readonly<Record<string, string | number | readonly string[]>>;

export interface ErrorOptions {
  /** For the log only. */
  readonly detail?: Record<string, unknown>;
  readonly cause?: unknown;
  readonly fields?: readonly FieldError[];
  /** Public extra fields of the body. */
  readonly extra?: Extra;
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string | number>>;
}

/** A failure with a public sentence and private detail; the two never mix. */
export class AppError extends Error {
  readonly detail: Record<string, unknown>;
  readonly fields: readonly FieldError[] | undefined;
  readonly extra: Extra | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string | number>> | undefined;

  constructor(
    readonly status: number,
    readonly code: string,
    /** Safe to show to users. */
    readonly publicMessage: string,
    options: ErrorOptions = {},
  ) {
    super(publicMessage, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.detail = options.detail ?? {};
    this.fields = options.fields;
    this.extra = options.extra;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers;
  }
}
