import { setTimeout as sleep } from 'node:timers/promises';
import type { Case } from './case.js';
import { matches } from './matches.js';
import {
  type FaultServer,
  type SeenRequest,
  startFaultServer,
  startSilentTlsServer,
} from './start-fault-server.js';

/** The input of a driver: a case, and the address of the server. */
export interface Task {
  readonly baseUrl: string;
  readonly client: Readonly<Record<string, unknown>>;
  readonly call: Case['call'];
  readonly calls: number;
  /** 0 for calls one after the other. */
  readonly atOnce: number;
}

/** How a call ended. */
export interface Outcome {
  readonly value?: unknown;
  readonly fallback?: unknown;
  readonly error?: { readonly code?: string; readonly results?: readonly unknown[] };
  readonly fileError?: string;
  readonly usageError?: string;
  /** Results that were read from an iterator before it failed. */
  readonly read?: number;
  readonly warnings?: readonly string[];
  readonly ipsDropped?: number;
  /** Of concurrent calls: how many were `answered`, got a `fallback` or ended in an error, by its code. */
  readonly calls?: Readonly<Record<string, number>>;
}

/** Makes the call with a client and says how the last one ended. */
export type Driver = (task: Task) => Promise<Outcome>;

/** For a case that sets no times: a client's own defaults are short, and a busy machine is not the subject. */
const PATIENT = { timeoutMs: 60_000, deadlineMs: 180_000 };

/** No program listens on this port, and the system gives it to none: one that was just free may be taken again. */
const NO_SERVER = 'http://127.0.0.1:2';

/** Long enough for a client that goes on after its call has ended to be caught at it. */
const AFTERMATH_MS = 250;

/** The client's deviations from the case; none when it conforms. */
export async function runCase(one: Case, drive: Driver): Promise<string[]> {
  const server = one.isSilentTls
    ? await startSilentTlsServer()
    : await startFaultServer(one.answers ?? [{ good: true }], one.places);
  try {
    const startedAt = performance.now();
    const outcome = await drive({
      baseUrl: `${one.isDown ? NO_SERVER : server.origin}${one.basePath ?? '/api/v1/'}`,
      client: { ...PATIENT, ...one.client },
      call: withItems(one.call),
      calls: one.calls ?? 1,
      atOnce: one.atOnce ?? 0,
    });
    const tookMs = performance.now() - startedAt;
    await sleep(AFTERMATH_MS);
    return [...matches(readable(outcome), one.expect.outcome, 'outcome'), ...judge(one, server, tookMs)];
  } finally {
    await server.close();
  }
}

function withItems(call: Case['call']): Case['call'] {
  if (call.items === undefined) return call;
  const input = Array.from({ length: call.items }, (_, i) => ({ email: `p${i}@b.example`, ref: String(i) }));
  return { ...call, input };
}

/** With the endings of concurrent calls, and which items of a failed batch have a result, as runs. */
function readable(outcome: Outcome): unknown {
  const { error, calls } = outcome;
  if (calls) return { ...outcome, endings: Object.keys(calls).sort() };
  if (!error?.results) return outcome;
  const answered: [from: number, count: number][] = [];
  Array.from(error.results, Boolean).forEach((isThere, i) => {
    const run = answered.at(-1);
    if (!isThere) return;
    if (run && run[0] + run[1] === i) run[1]++;
    else answered.push([i, 1]);
  });
  return { ...outcome, error: { ...error, answered } };
}

function judge({ expect }: Case, { seen, mostRunning }: FaultServer, tookMs: number): string[] {
  const wrong: string[] = [];
  const say = (is: boolean, sentence: string) => {
    if (!is) wrong.push(sentence);
  };
  const { requests, requestsMax, runningMax, atLeastMs, keys, sizes } = expect;
  if (requests !== undefined) say(seen.length === requests, `${seen.length} requests instead of ${requests}`);
  if (requestsMax !== undefined)
    say(seen.length <= requestsMax, `${seen.length} requests, more than ${requestsMax}`);
  if (runningMax !== undefined)
    say(mostRunning() <= runningMax, `${mostRunning()} concurrent requests, more than ${runningMax}`);
  if (atLeastMs !== undefined)
    say(tookMs >= atLeastMs, `ended after ${Math.round(tookMs)} ms, before ${atLeastMs}`);
  if (sizes) wrong.push(...matches(seen.map(sizeOf), sizes, 'sizes'));
  if (expect.request !== undefined) wrong.push(...matches(seen[0], expect.request, 'request'));
  if (expect.isBodyRepeated)
    say(new Set(seen.map(({ body }) => body)).size === 1, 'a repeated request has another body');
  if (keys) {
    const sent = seen.map(({ headers }) => headers['idempotency-key']);
    const distinct = new Set(sent).size;
    if (keys === 'none')
      say(
        sent.every((key) => key === undefined),
        'an Idempotency-Key was sent',
      );
    else say(sent.every(Boolean), 'an Idempotency-Key is missing');
    if (keys === 'one') say(distinct === 1, `${distinct} Idempotency-Keys for one call`);
    if (keys === 'new') say(distinct === sent.length, 'two calls have one Idempotency-Key');
  }
  return wrong;
}

const sizeOf = ({ body }: SeenRequest): number => (JSON.parse(body) as { items: unknown[] }).items.length;
