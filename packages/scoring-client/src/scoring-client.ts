import { DatasetsSchema } from '@verdict/contracts/datasets.js';
import {
  DATASETS_PATH,
  EXPLAIN_PATH,
  type ExplainRequest,
  ExplanationSchema,
  IPS_PATH,
  IpsReplySchema,
  type IpsRequest,
  OWNER_HEADER,
  SCORE_BATCH_MAX,
  SCORING_VERSION,
  SECOND_LOOK_PATH,
  SecondLookReplySchema,
  type SecondLookRequest,
  SOURCES_PATH,
  SourcesReplySchema,
  type SourcesRequest,
} from '@verdict/contracts/scoring-api.js';
import { hasStoodStill } from '@verdict/domain/has-stood-still.js';
import { every } from '@verdict/service-kit/every.js';
import { createNaturalBatcher, type Entry } from '@verdict/service-kit/natural-batcher.js';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { Pool } from 'undici';
import { askReplica, type Question, ScoringRefused } from './ask-replica.js';
import { replicaAddresses } from './replica-addresses.js';
import { createReplicas, type Replica } from './replicas.js';
import type { Scored, ScoreEntry, ScoreItem } from './scored.js';
import { SilentReplica } from './silent-replica.js';
import { streamScores } from './stream-scores.js';

export type ScoringClient = ReturnType<typeof createScoringClient>;

interface ScoringClientOptions {
  readonly urls: readonly string[];
  readonly deadlineMs: number;
  readonly batchMax?: number;
  readonly waitingMax?: number;
  readonly onBatch?: (size: number) => void;
  /** The first verdicts of a batch are here. */
  readonly onAnswered?: (seconds: number) => void;
  readonly onFailure?: () => void;
  /** The traces that checks belong to. */
  readonly carried?: (items: readonly object[]) => string | undefined;
}

/** Thrown to a check that no replica judged in time. */
class ScoringUnavailable extends Error {
  override name = 'ScoringUnavailable';
}

/**
 * A batch with a slow domain keeps its connection until that verdict arrives. With 16 connections a burst of unknown
 * domains delayed all checks by a quarter of a second.
 */
const CONNECTIONS_PER_REPLICA = 256;
const RESOLVE_EVERY_MS = 2_000;
const BATCHES_PER_REPLICA = 2;

/**
 * Scoring, with batches spread over the replicas. Scoring has no side effects, so a request that died or got
 * no first byte in half its deadline is sent once more to another replica, for the checks still open. The first to
 * answer counts.
 */
export function createScoringClient(options: ScoringClientOptions) {
  const { urls, deadlineMs, batchMax = SCORE_BATCH_MAX, waitingMax = 1_000 } = options;
  const { onBatch, onAnswered, onFailure, carried } = options;
  const replicas = createReplicas({
    urls,
    deadlineMs,
    connect: (url) => new Pool(url, { connections: CONNECTIONS_PER_REPLICA, pipelining: 1 }),
  });
  const resolve = async () => replicas.replace(await replicaAddresses(urls));
  const stopResolving = every(RESOLVE_EVERY_MS, resolve, () => undefined); // a name that is not known now is kept
  void resolve();

  async function send(entries: readonly ScoreEntry[], whose?: ScoreItems): Promise<void> {
    const tracesOf = (sent: readonly ScoreEntry[]) => carried?.(whose ? [whose] : sent.map(itemOf));
    const sentAt = performance.now();
    const deadline = setTimeout(endOpen, deadlineMs, entries, sentAt, deadlineMs).unref(); // it may outlast the last verdict
    const first = replicas.pick();
    try {
      await attempt(first, entries, deadlineMs / 2, tracesOf(entries));
      onAnswered?.((performance.now() - sentAt) / 1000);
    } catch (error) {
      replicas.failed(first);
      onFailure?.();
      const open = entries.filter((entry) => !entry.settled);
      if (open.length === 0) return;
      const leftMs = Math.max(deadlineMs / 2, sentAt + deadlineMs - performance.now());
      try {
        await attempt(replicas.pick(first), open, leftMs, tracesOf(open));
        onAnswered?.((performance.now() - sentAt) / 1000);
      } catch (second) {
        // The second may be away, and the first only slow: it can still answer until the deadline.
        if (!(error instanceof SilentReplica)) throw second;
      }
    } finally {
      releaseWhenSettled(entries, deadline);
    }
  }

  async function ask<Schema extends TSchema>(schema: Schema, question: Question) {
    const first = replicas.pick();
    const answer = await askReplica(first, deadlineMs / 2, question).catch((error: unknown) => {
      if (error instanceof ScoringRefused || question.signal?.aborted) throw error;
      replicas.failed(first);
      return askReplica(replicas.pick(first), deadlineMs / 2, question);
    });
    return Value.Parse(schema, answer);
  }

  const batcher = createNaturalBatcher<ScoreItem, Scored>({
    send: (entries) => send(entries),
    batchMax,
    waitingMax,
    inFlightMax: () => BATCHES_PER_REPLICA * replicas.size,
    ...(onBatch && { onBatch }),
  });

  // A request of many addresses is one call, and waits like one.
  const manyBatcher = createNaturalBatcher<ScoreItems, Scored[]>({
    send: async ([entry]) => entry && send(toEntries(entry), entry.item),
    batchMax: 1,
    waitingMax,
    inFlightMax: () => BATCHES_PER_REPLICA * replicas.size,
  });

  const submitMany = (item: ScoreItems): Promise<Scored[]> => {
    onBatch?.(item.emails.length);
    return manyBatcher.submit(item);
  };

  return {
    /** Scores addresses. Batches requests and answers each individually. */
    score: (item: ScoreItem) => batcher.submit(item),
    /** The same without a promise. */
    push: (entry: ScoreEntry) => batcher.push(entry),
    /** The same for addresses of one request, in their order: one entry, however many they are. */
    async scoreAll(item: ScoreItems) {
      if (item.emails.length === 0) return [];
      if (item.emails.length <= SCORE_BATCH_MAX) return submitMany(item);
      return (await Promise.all(partsOf(item).map(submitMany))).flat();
    },
    datasets: () => ask(DatasetsSchema, { path: DATASETS_PATH }),
    /** How an address is judged now, without lists and without counting, and which listings it rests on. */
    explain: (body: ExplainRequest, { accountId, signal }: Asking = {}) =>
      ask(ExplanationSchema, {
        path: EXPLAIN_PATH,
        body,
        signal,
        ...(accountId !== undefined && { headers: { [OWNER_HEADER]: accountId } }),
      }),
    /** The words of the lists now: networks of IPs, scores of stored checks, sources of domains. */
    ips: (request: IpsRequest) => ask(IpsReplySchema, { path: IPS_PATH, body: request }),
    secondLook: (body: SecondLookRequest) => ask(SecondLookReplySchema, { path: SECOND_LOOK_PATH, body }),
    sources: (request: SourcesRequest) => ask(SourcesReplySchema, { path: SOURCES_PATH, body: request }),
    async close() {
      void stopResolving(); // a look-up may take longer than a stop
      await replicas.close();
    },
  };
}

/** On whose behalf an explanation is asked for; without an account, the operator's. */
export interface Asking {
  readonly accountId?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Addresses of one request. */
export interface ScoreItems {
  readonly emails: readonly string[];
  readonly accountId: string;
}

/** As many addresses as a call takes in each. */
function partsOf({ emails, accountId }: ScoreItems): ScoreItems[] {
  const parts: ScoreItems[] = [];
  for (let from = 0; from < emails.length; from += SCORE_BATCH_MAX) {
    parts.push({ emails: emails.slice(from, from + SCORE_BATCH_MAX), accountId });
  }
  return parts;
}

/** An entry for each address, which together settle that of the request: all verdicts, or the first error. */
function toEntries(entry: Entry<ScoreItems, Scored[]>): ScoreEntry[] {
  const { emails, accountId } = entry.item;
  const request = { entry, scores: new Array<Scored>(emails.length), open: emails.length };
  return emails.map((email, i) => new AddressEntry(email, accountId, i, request));
}

class AddressEntry implements ScoreEntry, ScoreItem {
  settled = false;

  constructor(
    readonly email: string,
    readonly accountId: string,
    private readonly position: number,
    private readonly request: { entry: Entry<ScoreItems, Scored[]>; scores: Scored[]; open: number },
  ) {}

  get item(): ScoreItem {
    return this;
  }

  resolve(scored: Scored): void {
    if (this.settled) return;
    this.settled = true;
    this.request.scores[this.position] = scored;
    if (--this.request.open === 0) this.request.entry.resolve(this.request.scores);
  }

  reject(error: unknown): void {
    this.settled = true;
    this.request.entry.reject(error);
  }
}

const itemOf = ({ item }: ScoreEntry): ScoreItem => item;

/** Over the replica's connection for frames; by plain HTTP where there is none. */
function attempt(
  { link, pool }: Replica,
  entries: readonly ScoreEntry[],
  firstByteMs: number,
  traces: string | undefined,
): Promise<void> {
  const connection = link.connection();
  if (connection) return connection.send(entries, firstByteMs, traces);
  const checks = entries.map(({ item }) => ({ email: item.email, account_id: item.accountId }));
  return streamScores(pool, JSON.stringify({ v: SCORING_VERSION, checks }), firstByteMs, entries, traces);
}

/** Ends what is open at the deadline; if this process stood still meanwhile, once more so much later. */
function endOpen(entries: readonly ScoreEntry[], sentAt: number, deadlineMs: number): void {
  if (!hasStoodStill(deadlineMs, performance.now() - sentAt)) rejectOpen(entries);
  else setTimeout(rejectOpen, deadlineMs, entries).unref();
}

function rejectOpen(entries: readonly ScoreEntry[]): void {
  for (const entry of entries) if (!entry.settled) entry.reject(new ScoringUnavailable('no verdict in time'));
}

/** Most batches are complete when their first chunk was read; only one with a slow domain keeps its timer. */
function releaseWhenSettled(entries: readonly ScoreEntry[], deadline: NodeJS.Timeout): void {
  if (entries.every((entry) => entry.settled)) clearTimeout(deadline);
}
