import {
  type AccountView,
  type Admission,
  type AdmissionGroup,
  type AdmissionReply,
  type AdmissionRequest,
  admitGroups,
  type Caller,
} from '@verdict/redis-store/admit.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { createNaturalBatcher, type Entry, type NaturalBatcher } from '../batching/natural-batcher.js';

export interface AdmissionItem {
  readonly caller: Caller;
  readonly request: AdmissionRequest;
}

export type Admitted =
  | { readonly state: 'absent' }
  | { readonly state: 'forbidden' }
  | { readonly state: 'known'; readonly account: AccountView; readonly admission: Admission };

export type Admitter = NaturalBatcher<AdmissionItem, Admitted>;

/** How often each answer was given; counted here because a batch knows them all at once. */
export type AdmissionOutcomes = Record<Admission['outcome'] | 'absent' | 'forbidden', number>;

interface AdmitterOptions {
  readonly redis: RedisConnection;
  readonly batchMax: number;
  readonly waitingMax: number;
  readonly outcomes: AdmissionOutcomes;
  readonly onBatch: (size: number) => void;
}

type AdmissionEntry = Entry<AdmissionItem, Admitted>;

/** Asks Redis for many checks at once, whoever they belong to: one script for all of a batch. */
export function createAdmitter({
  redis,
  batchMax,
  waitingMax,
  outcomes,
  onBatch,
}: AdmitterOptions): Admitter {
  return createNaturalBatcher<AdmissionItem, Admitted>({
    batchMax,
    waitingMax,
    inFlightMax: 4,
    onBatch,
    async send(entries) {
      const groups = byCaller(entries);
      const replies = await admitGroups(redis, groups.map(toAdmissionGroup));
      for (let i = 0; i < groups.length; i++) answer(groups[i] ?? [], replies[i], outcomes);
    },
  });
}

function toAdmissionGroup(group: readonly AdmissionEntry[]): AdmissionGroup {
  const [first] = group as readonly [AdmissionEntry];
  return { caller: first.item.caller, requests: group.map((entry) => entry.item.request) };
}

function answer(
  group: readonly AdmissionEntry[],
  reply: AdmissionReply | Error | undefined,
  outcomes: AdmissionOutcomes,
): void {
  if (reply === undefined || reply instanceof Error) {
    for (const entry of group) entry.reject(reply ?? new Error('no reply to admission'));
    return;
  }
  if (reply.state !== 'known') {
    outcomes[reply.state] += group.length;
    for (const entry of group) entry.resolve(reply);
    return;
  }
  for (let i = 0; i < group.length; i++) {
    const admission = reply.admissions[i];
    if (!admission) continue;
    outcomes[admission.outcome]++;
    group[i]?.resolve({ state: 'known', account: reply.account, admission });
  }
}

/** One group per account and credential: the same credential named by two accounts is two callers. */
function byCaller(entries: readonly AdmissionEntry[]): (readonly AdmissionEntry[])[] {
  const caller = entries[0]?.item.caller;
  // The usual case: one customer's burst. A known key always comes with the same object.
  if (entries.every((entry) => entry.item.caller === caller)) return [entries];
  const groups = new Map<string, AdmissionEntry[]>();
  for (const entry of entries) {
    const { accountId, credential } = entry.item.caller;
    const name = `${accountId} ${credential}`;
    const group = groups.get(name);
    if (group) group.push(entry);
    else groups.set(name, [entry]);
  }
  return [...groups.values()];
}
