import type { ListedValue } from '@verdict/domain/account-list.js';
import { burstRules } from '@verdict/domain/burst-rules.js';
import { UNMETERED_PER_DAY } from '@verdict/domain/unmetered-per-day.js';
import { createCountedThings, type Things } from './counted-things.js';
import type { Scope } from './credential-status.js';
import { accountKey, listsKey, noteKey, recordKey } from './keys.js';
import { lengthOf, listField, listText } from './list-fields.js';
import { loadScript, type Script, toScript } from './script.js';
import type { AccountStore } from './shards.js';
import { STEP_SCRIPT } from './step-script.js';
import { threeDigits } from './three-digits.js';

const runLook = loadScript(STEP_SCRIPT);

const REMEMBER_SECONDS = 24 * 60 * 60;
/**
 * How far from its creation a batch may run. Longer than any client waits and much shorter than a note lives; a sender
 * whose clock estimate is further off gets the time and tries again.
 */
const LIFE_MICROS = 30_000_000;

/** Whose checks they are, and by which credential. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  /** Tag of the secret that was shown, or the key id when a token vouched for it. */
  readonly credential: string;
  /** The value says so; what counts is what the step says. */
  readonly isTest?: boolean;
}

/** The parts of a check that entries of the account's lists may name. */
export interface Subject {
  /** Canonical, its domain in A-labels. */
  readonly address: string;
  /** The one mailbox behind its spellings; '' where that is the address itself. */
  readonly mailbox: string;
  readonly domain: string;
  /** In its normal form and as ipDigits; '' when there is none. */
  readonly ip: string;
  readonly digits: string;
  /** Hosts that take the mail of the domain, with spaces between. */
  readonly hosts: string;
}

/** The idempotency part of a group. */
export interface Idempotency {
  /** Hash of account and key. */
  readonly name: string;
  /** Hash of everything that decides the answer. */
  readonly body: string;
  /** Kept for a replay. */
  readonly rest: string;
}

/** Entries that subjects met before their step, which grants nothing when that does not hold any more. */
export interface Met {
  /** Version of the account's lists. */
  readonly lists: string;
  /** Checks that looking costs the rate beside those of the group. */
  readonly extra: number;
  /** Microsecond at which the first of the entries ends. */
  readonly ends?: number | undefined;
  /** As JSON text, '' for none. */
  readonly matches: string;
}

/** Checks of one caller that are granted together or not at all. */
export interface StepGroup {
  readonly caller: Caller;
  readonly count: number;
  /** Only for an account with lists; most have none. */
  readonly subjects?: readonly Subject[] | undefined;
  /** In place of subjects, where there are many. */
  readonly met?: Met | undefined;
  /** Only for an account that counts repetitions. */
  readonly things?: readonly Things[] | undefined;
  /** Versions of the account's policy whose rules the sender has at hand. */
  readonly policies?: string | undefined;
  /** Versions that judge instead of the account's: those of a bulk job. */
  readonly pinned?: string | undefined;
  readonly once: Idempotency | null;
  /** Where the caller is (ipDigits): always in a look, and for a key bound to networks. */
  readonly from?: string | undefined;
  /** Of a look: what the key must be good for. */
  readonly scope?: Scope | undefined;
}

/** The decision of the script about groups of one shard, without changing anything. Returns a note. */
export async function look(
  { redis, shards }: AccountStore,
  groups: readonly StepGroup[],
  counts = false,
): Promise<string> {
  const { keys, request } = toRequest(groups, shards);
  return (await runLook(redis, keys, [
    JSON.stringify({ counts: counts || undefined, ...request }),
  ])) as string;
}

/** Checks of an account, with what its lists may name and what it may count. */
export interface PreviewGroup {
  readonly accountId: string;
  readonly subjects: readonly Subject[];
  readonly things?: readonly Things[] | undefined;
  /** An entry that is asked about as if it were on the account's list. */
  readonly pretended?: ListedValue | undefined;
}

/**
 * Tells what checks of one account would meet now: entries of its lists, repetitions, versions of its policy. Nothing is written,
 * and neither key nor limit is asked. Returns a note of one group.
 */
export async function preview({ redis, shards }: AccountStore, group: PreviewGroup): Promise<string> {
  const { accountId, subjects, things, pretended } = group;
  const caller = { accountId, keyId: '', credential: '' };
  const { keys, texts, request } = toRequest(
    [{ caller, count: subjects.length, subjects, things, once: null }],
    shards,
  );
  const asked = { preview: true, pretended: pretended && pretendedFields(pretended), ...request };
  return (await runLook(redis, keys, [JSON.stringify(asked), ...texts])) as string;
}

const pretendedFields = (entry: ListedValue) => ({
  field: listField(entry),
  text: listText(entry),
  length: entry.kind === 'network' ? lengthOf(entry) : undefined,
  mx: entry.match === 'mx' || undefined,
});

export interface StepBatch {
  readonly shard: number;
  readonly batchId: string;
  /** The job that carries the logs, as BullMQ names it. */
  readonly jobKey: string;
  readonly bornMicros: number;
  readonly groups: readonly StepGroup[];
  /** Whether the sender can name the things of its checks. */
  readonly counts?: boolean;
  /** Keys and arguments of the script that inserts the job. */
  readonly insert: {
    readonly keys: readonly string[];
    readonly args: readonly (string | Buffer)[];
  };
}

/** The step with the script that inserts the job of what it grants. */
export const stepWithInsert = (insertLua: string): Script =>
  toScript(`local function insert(KEYS, ARGV)\n${insertLua}\nend\n${STEP_SCRIPT}`);

/** Keys and arguments of the step. */
export function stepArguments(
  shards: number,
  { shard, batchId, jobKey, bornMicros, groups, counts = false, insert }: StepBatch,
): { readonly keys: readonly string[]; readonly args: readonly (string | Buffer)[] } {
  const { keys, texts, request } = toRequest(groups, shards, bornMicros);
  const text = JSON.stringify({
    born: bornMicros,
    life: LIFE_MICROS,
    counts: counts || undefined,
    // Behind the note, the job and the keys of the groups; behind this text and those of things.
    insert: [keys.length + 3, texts.length + 2],
    ...request,
  });
  return {
    keys: [noteKey(shard, batchId), jobKey, ...keys, ...insert.keys],
    args: [text, ...texts, ...insert.args],
  };
}

/** A run names its caller in three digits. */
const RUN_CALLERS_MAX = 1_000;

/** One check that brings nothing but perhaps things: the step decides it by rate and quota alone. */
const isUsual = ({ count, subjects, met, things, policies, pinned, once, from, scope }: StepGroup): boolean =>
  count === 1 &&
  !subjects &&
  !met &&
  (things === undefined || things.length === 1) &&
  !policies &&
  pinned === undefined &&
  !once &&
  from === undefined &&
  scope === undefined;

function toRequest(groups: readonly StepGroup[], shards: number, bornMicros?: number) {
  const keys: string[] = [];
  const recordKeys: string[] = [];
  const counted = createCountedThings(shards);
  const callers: Caller[] = [];
  const positions = new Map<string, number>();
  let last: Caller | undefined;
  let position = -1;
  const positionOf = (caller: Caller): number => {
    // The usual case: one customer's burst. A known key always comes with the same object.
    if (caller === last) return position;
    last = caller;
    const name = `${caller.accountId} ${caller.credential}`;
    position = positions.get(name) ?? -1;
    if (position !== -1) return position;
    position = callers.push(caller) - 1;
    positions.set(name, position);
    keys.push(accountKey(caller.accountId, shards), listsKey(caller.accountId, shards));
    return position;
  };
  const listed: unknown[] = [];
  let run = '';
  const endRun = () => {
    if (run !== '') listed.push(run);
    run = '';
  };
  for (const group of groups) {
    const { caller, count, subjects, met, things, policies, pinned, once, from, scope } = group;
    const number = positionOf(caller);
    if (bornMicros !== undefined && number < RUN_CALLERS_MAX && isUsual(group)) {
      run += threeDigits(number) + counted.addUsual(caller.accountId, things?.[0]);
      continue;
    }
    endRun();
    if (once) recordKeys.push(recordKey(caller.accountId, once.name, shards));
    listed.push({
      caller: number,
      count,
      subjects: subjects?.map(({ address, mailbox, domain, ip, digits, hosts }) =>
        [address, mailbox, domain, ip, digits, hosts].join('\n'),
      ),
      met,
      things: things && counted.add(caller.accountId, things),
      // JSON leaves out what is undefined.
      policies: policies === '' ? undefined : policies,
      pinned,
      once: once ? { body: once.body, rest: once.rest } : undefined,
      from,
      scope,
    });
  }
  endRun();
  let callersText = '';
  for (const { accountId, credential, keyId } of callers)
    callersText += `${credential} ${keyId} ${counted.numberOf(accountId) ?? ''}\n`;
  const limits = { remember: REMEMBER_SECONDS, unmetered: UNMETERED_PER_DAY, kinds: burstRules.length };
  const nowMicros = bornMicros ?? Date.now() * 1_000;
  const { texts, counting } = counted.request(keys.length + recordKeys.length, nowMicros);
  return {
    keys: [...keys, ...recordKeys, ...counted.keys()],
    texts,
    request: { ...limits, callers: callersText, groups: listed, counting },
  };
}
