import type { Logger } from './logger.js';

/** A refused request. Undefined fields are left out of the line. */
export interface Refusal {
  readonly requestId: string;
  readonly status: number;
  readonly code: string;
  readonly method: string;
  /** Without its query, which may hold private data. */
  readonly path: string;
  readonly route: string | undefined;
  readonly client: string;
  readonly accountId?: string | undefined;
  readonly keyId?: string | undefined;
  /** The fields that a 400 names. */
  readonly fields?: readonly string[] | undefined;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Of what failed on our side. */
  readonly cause?: unknown;
}

export type RefusalLog = ReturnType<typeof createRefusalLog>;

interface Group {
  readonly first: Refusal;
  again: number;
}

const WINDOW_MS = 60_000;
/** Above this number of kinds a client is inventing them, so only status and code are distinguished. */
const GROUPS_MAX = 500;

/**
 * Logs the first refusal of a kind immediately and counts similar ones in one line a minute later. A customer at the
 * limit writes two lines a minute instead of thousands a second.
 */
export function createRefusalLog(log: Logger, windowMs = WINDOW_MS) {
  const groups = new Map<string, Group>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { first, again } of groups.values()) if (again > 0) writeAgain(log, first, again);
    groups.clear();
  }

  return {
    /** Says what is still to be said; before the process ends. */
    flush,
    note(refusal: Refusal) {
      const own = kindOf(refusal);
      const kind = groups.has(own) || groups.size < GROUPS_MAX ? own : `${refusal.status} ${refusal.code}`;
      const known = groups.get(kind);
      if (known) {
        known.again++;
        return;
      }
      groups.set(kind, { first: refusal, again: 0 });
      timer ??= setTimeout(flush, windowMs).unref();
      writeFirst(log, refusal);
    },
  };
}

/** A failure on our side affects all clients; a refusal concerns one. */
function kindOf({ status, code, method, route, client, accountId, keyId, detail }: Refusal): string {
  const place = `${status} ${code} ${method} ${route}`;
  return status >= 500 ? `${place} ${detail.part}` : `${place} ${client} ${accountId} ${keyId}`;
}

function writeFirst(log: Logger, { detail, cause, fields: _, ...line }: Refusal): void {
  if (line.status >= 500) log.error({ ...line, ...detail, err: cause }, 'request failed');
  else log.info({ ...line, ...detail }, 'request refused');
}

function writeAgain(log: Logger, first: Refusal, times: number): void {
  const { status, code, method, route, client, accountId, keyId, requestId } = first;
  const fields = { status, code, method, route, likeRequestId: requestId, times };
  if (status >= 500) log.error(fields, 'requests failed the same way');
  else log.info({ ...fields, client, accountId, keyId }, 'requests refused the same way');
}
