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
const PER_CHECK = 4;

/** One round trip for any number of checks of one caller; with no checks it only looks. */
export async function admit(
  redis: RedisConnection,
  caller: Caller,
  requests: readonly AdmissionRequest[],
): Promise<AdmissionReply> {
  const args: string[] = [caller.credential, caller.keyId];
  for (const { logId, address, domain, ip } of requests) args.push(logId, `${address}\n${domain}\n${ip}`);
  const keys = [accountKey(caller.accountId), reservedKey(caller.accountId), listsKey(caller.accountId)];
  const reply = (await runAdmit(redis, keys, args)) as (string | number)[];
  if (reply[0] === 0) return ABSENT;
  if (reply[0] === 1) return FORBIDDEN;
  return { state: 'known', account: readAccount(reply), admissions: readAdmissions(reply, requests.length) };
}

const readAccount = (reply: readonly (string | number)[]): AccountView => ({
  plan: reply[1] as string,
  limit: reply[2] as number,
  rate: reply[3] as number,
  rateRemaining: reply[4] as number,
  rateWaitMicros: reply[5] as number,
  nowMicros: reply[6] as number,
  used: reply[7] as number,
});

function readAdmissions(reply: readonly (string | number)[], count: number): Admission[] {
  const admissions: Admission[] = [];
  for (let i = 0; i < count; i++) {
    const at = HEADER + i * PER_CHECK;
    admissions.push({
      outcome: OUTCOMES[(reply[at] as number) - 1] as Admission['outcome'],
      used: reply[at + 1] as number,
      admittedAtMicros: reply[at + 2] as number,
      match: reply[at + 3] as string,
    });
  }
  return admissions;
}
