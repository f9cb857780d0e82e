import { Cluster } from 'ioredis';
import type { RedisConnection } from './connect.js';
import { accountKey, listsKey, reservedKey } from './keys.js';
import { loadScript } from './script.js';

const runAdmit = loadScript('admit.lua');

/** Whose checks are to be admitted, and by which credential. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  /** Tag of the secret that was shown, or the key id when a token vouched for it. */
  readonly credential: string;
}

export interface AdmissionRequest {
  readonly logId: string;
  /** Canonical address, its domain and the IP ('' when none): what the account's lists are asked for. */
  readonly address: string;
  readonly domain: string;
  readonly ip: string;
}

/** The account as one atomic look saw it. */
export interface AccountView {
  readonly plan: string;
  readonly limit: number;
  readonly rate: number;
  readonly rateRemaining: number;
  readonly rateWaitMicros: number;
  readonly nowMicros: number;
  readonly used: number;
}

export interface Admission {
  readonly outcome: 'granted' | 'quota' | 'rate';
  readonly used: number;
  readonly admittedAtMicros: number;
  /** "list:kind:value" of the account's entry that matched, or ''. */
  readonly match: string;
}

export type AdmissionReply =
  | { readonly state: 'absent' }
  | { readonly state: 'forbidden' }
  | { readonly state: 'known'; readonly account: AccountView; readonly admissions: readonly Admission[] };

const ABSENT = { state: 'absent' } as const;
const FORBIDDEN = { state: 'forbidden' } as const;
const OUTCOMES = ['granted', 'quota', 'rate'] as const;
const HEADER = 8;

/** See admit.lua for what stands where. */
type Item = number | readonly [outcome: number, used: number, micros: number, match: string];
type Reply = readonly (string | Item)[];

/** The checks of one caller. */
export interface AdmissionGroup {
  readonly caller: Caller;
  readonly requests: readonly AdmissionRequest[];
}

/** One round trip for any number of checks of one caller; with no checks it only looks. */
export async function admit(
  redis: RedisConnection,
  caller: Caller,
  requests: readonly AdmissionRequest[],
): Promise<AdmissionReply> {
  const [reply] = await admitGroups(redis, [{ caller, requests }]);
  if (reply === undefined || reply instanceof Error) throw reply ?? new Error('no reply to admission');
  return reply;
}

/** One round trip for checks of several callers; a group that could not be decided has its error in place of a reply. */
export async function admitGroups(
  redis: RedisConnection,
  groups: readonly AdmissionGroup[],
): Promise<(AdmissionReply | Error)[]> {
  if (!(redis instanceof Cluster)) return runGroups(redis, groups);
  // Accounts lie on different nodes here, and a script may not reach over them.
  const calls = groups.map((group) => runGroups(redis, [group]).catch((error: Error) => [error]));
  return (await Promise.all(calls)).flat();
}

async function runGroups(
  redis: RedisConnection,
  groups: readonly AdmissionGroup[],
): Promise<(AdmissionReply | Error)[]> {
  const keys: string[] = [];
  const args: (string | number)[] = [];
  for (const { caller, requests } of groups) {
    keys.push(accountKey(caller.accountId), reservedKey(caller.accountId), listsKey(caller.accountId));
    args.push(caller.credential, caller.keyId, requests.length);
    for (const { logId, address, domain, ip } of requests) args.push(logId, `${address}\n${domain}\n${ip}`);
  }
  const replies = (await runAdmit(redis, keys, args)) as (Reply | Error)[];
  return replies.map((reply, i) => readReply(reply, groups[i]?.requests.length ?? 0));
}

function readReply(reply: Reply | Error, count: number): AdmissionReply | Error {
  if (reply instanceof Error) return reply;
  if (reply[0] === 0) return ABSENT;
  if (reply[0] === 1) return FORBIDDEN;
  return { state: 'known', account: readAccount(reply), admissions: readAdmissions(reply, count) };
}

const readAccount = (reply: Reply): AccountView => ({
  plan: reply[1] as string,
  limit: reply[2] as number,
  rate: reply[3] as number,
  rateRemaining: reply[4] as number,
  rateWaitMicros: reply[5] as number,
  nowMicros: reply[6] as number,
  used: reply[7] as number,
});

function readAdmissions(reply: Reply, count: number): Admission[] {
  const now = reply[6] as number;
  const admissions: Admission[] = [];
  for (let i = 0; i < count; i++) {
    const item = reply[HEADER + i] as Item;
    admissions.push(
      typeof item === 'number'
        ? { outcome: 'granted', used: item, admittedAtMicros: now, match: '' }
        : {
            outcome: OUTCOMES[item[0] - 1] as Admission['outcome'],
            used: item[1],
            admittedAtMicros: item[2],
            match: item[3],
          },
    );
  }
  return admissions;
}
