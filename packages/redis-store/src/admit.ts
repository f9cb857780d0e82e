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

/** One round trip for any number of checks of one caller; with no checks it only looks. */
export async function admit(
  redis: RedisConnection,
  caller: Caller,
  requests: readonly AdmissionRequest[],
): Promise<AdmissionReply> {
  const args: string[] = [caller.credential, caller.keyId];
  for (const { logId, address, domain, ip } of requests) args.push(logId, `${address}\n${domain}\n${ip}`);
  const keys = [accountKey(caller.accountId), reservedKey(caller.accountId), listsKey(caller.accountId)];
  const reply = (await runAdmit(redis, keys, args)) as Reply;
  if (reply[0] === 0) return ABSENT;
  if (reply[0] === 1) return FORBIDDEN;
  return { state: 'known', account: readAccount(reply), admissions: readAdmissions(reply, requests.length) };
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
