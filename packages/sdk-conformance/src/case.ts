/** One thing that a client must do. All of it is data, so that a client in any language can be held against it. */
export interface Case {
  readonly name: string;
  /** Options of the client, by the names that the TypeScript client has. */
  readonly client?: Readonly<Record<string, unknown>>;
  readonly call: Call;
  /** How often the call is made with one client, one after the other; 1. */
  readonly calls?: number;
  /** How often the call is made at the same moment with one client. The outcome has `calls`, a count by way of ending. */
  readonly atOnce?: number;
  /** It needs concurrent requests, which a language with one thread per process does not do. */
  readonly isConcurrent?: boolean;
  /** Concurrent requests that the server handles; others wait in it. */
  readonly places?: number;
  /** The API is behind TLS, and its server accepts connections and says nothing. */
  readonly isSilentTls?: boolean;
  /** The server's behaviour for the first request, the second and so on; the last entry also serves all later ones. */
  readonly answers?: readonly Answer[];
  /** Where the API is, below the server's origin; `/api/v1/`. */
  readonly basePath?: string;
  /** The server does not listen. */
  readonly isDown?: boolean;
  readonly expect: Expectation;
}

export interface Call {
  readonly method: string;
  /** Its argument: an address, items, a job's id, a webhook message. */
  readonly input?: unknown;
  /** In place of `input`: so many items `p0@b.example`, `p1@b.example`, each with its number as ref. */
  readonly items?: number;
  /** Hands the input over in a file, as a stream that can be read once, or as the path of a file that is not there. */
  readonly as?: 'path' | 'stream' | 'missing';
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface Answer {
  /** For requests whose body holds this, whatever their turn: parts of a batch arrive in any order. */
  readonly when?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  /** A good answer to a check, or to every item of a batch. */
  readonly good?: boolean;
  /** `Retry-After` as a date so many seconds from now. */
  readonly retryAfterDate?: number;
  readonly delayMs?: number;
  /** It waits until the server has seen so many requests, so that no clock orders them. */
  readonly afterRequests?: number;
  /** How many requests in a row it serves; 1. */
  readonly times?: number;
  /**
   * `hang`: no answer. `reset`: the connection ends. `drip`: a byte of the head every 100 ms. `stall`: a head, then nothing. `cut`:
   * half a body, then the end.
   */
  readonly fault?: 'hang' | 'reset' | 'drip' | 'stall' | 'cut';
}

export interface Expectation {
  /**
   * The outcome of the call: `value`, `fallback`, `error`, `fileError` or `usageError`, and `warnings`. Parts that are not named are
   * not looked at. Results of a failed batch are runs, `answered: [[from, count]]`. Concurrent calls also have `endings`, the
   * sorted ways in which they ended.
   */
  readonly outcome: unknown;
  /** The number of requests that the server saw, a moment after the call ended. */
  readonly requests?: number;
  readonly requestsMax?: number;
  /** The number of requests that the server was answering concurrently. */
  readonly runningMax?: number;
  /** Items in each batch request. */
  readonly sizes?: readonly number[];
  /** `one` for all requests, a `new` one for each, or `none`. */
  readonly keys?: 'one' | 'new' | 'none';
  /** Parts of the first request. */
  readonly request?: unknown;
  /** All requests have the body of the first. */
  readonly isBodyRepeated?: boolean;
  readonly atLeastMs?: number;
}
