import type { ListMatch, Seen } from '@verdict/contracts/step-note.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import type { Caller, Idempotency, Met } from '@verdict/redis-store/step.js';

/** One check that has been scored and wants to be granted, counted and logged. */
export interface Candidate {
  /** Its log id. The caller chooses it: a check that is submitted again under the same id has one row. */
  readonly id: string;
  /** As sent, trimmed: what is logged. */
  readonly email: string;
  /** One spelling per mailbox, its domain in A-labels: what lists, hashes and filters go by. */
  readonly canonical: string;
  readonly ip: string | null;
  /** The IP in its one normal form, '' when there is none: what lists go by. */
  readonly normalIp: string;
  /** Candidates that hold the same object share it in the log too. */
  readonly verdict: Verdict;
  /** Network of the IP, as networkText writes it; left out where it was not looked up. */
  readonly network?: string | undefined;
  /** The customer's label for it; the job carries it where there is one. */
  readonly tag?: string | undefined;
}

/** Checks of one caller, granted together or not at all. A single check is a submission of one. */
export interface Submission {
  readonly caller: Caller;
  readonly requestId: string;
  readonly checks: readonly Candidate[];
  readonly once?: Idempotency | null;
  /** Versions of the account's policy whose rules the sender has at hand. */
  readonly policies?: string;
  /** Versions that judge instead of the account's. */
  readonly pinned?: string;
  /** Where the caller is (ipDigits). Asked for only where the key is bound to networks. */
  readonly from?: () => string;
  /**
   * Only for callers that must be able to repeat the very same step (see README.md). Such a submission is a separate
   * batch.
   */
  readonly batchId?: string;
  /** With a batchId: what the clock showed before it was asked whether the batch was taken before. It may not run long after. */
  readonly bornMicros?: number;
  /** Entries of lists that its checks met, where they are too many for the script of the step. */
  readonly met?: Met;
}

export interface AccountView {
  readonly plan: string;
  readonly limit: number;
  readonly rate: number;
  /** Burst allowed by the rate. */
  readonly rateLeft: number;
  readonly rateWaitMicros: number;
  readonly used: number;
  /** The month of a key with its own quota. */
  readonly key?: { readonly limit: number; readonly used: number };
  /** The key is one for trying out. */
  readonly isTest: boolean;
  readonly nowMicros: number;
}

/** The outcome of a submission, or the expected one for a look. */
export type Outcome =
  | {
      readonly state: 'granted';
      readonly account: AccountView;
      /** Checks of the month, these included. */
      readonly used: number;
      /** created_at of every check of the submission. */
      readonly nowMicros: number;
      /** Entries of the account's lists that checks met; what they say comes before the verdict (see judge.ts). */
      readonly matches: readonly ListMatch[];
      /** By position; empty for an account that counts no repetitions. */
      readonly seen: readonly Seen[];
      /** Versions of the policy that judge it, "<live>/<shadow>"; '' for none. */
      readonly policies: string;
    }
  /** Of the account, of the key, of this second, or of the answers that are remembered in a day. */
  | {
      readonly state: 'quota' | 'key_quota' | 'rate' | 'remembered';
      readonly account: AccountView;
      readonly used: number;
    }
  /** Of the test checks of a day. */
  | {
      readonly state: 'tests';
      readonly account: AccountView;
      readonly used: number;
      readonly limit: number;
    }
  /** Nothing was granted: the sender loads the rules of these versions and submits again. */
  | { readonly state: 'needs'; readonly needs: string; readonly policies: string }
  /** An earlier request with the same Idempotency-Key left this (see replay-record.ts). */
  | { readonly state: 'replay'; readonly record: string; readonly account: AccountView }
  /** Not active; `unknown` when the account has no such credential at all, or none any more. */
  | { readonly state: 'forbidden'; readonly unknown: boolean }
  /** Past its end; not from here; not for this. */
  | { readonly state: 'expired' | 'address' | 'scope' };

/** A submission that takes its outcome, or the error instead, by one call. */
export interface AwaitedSubmission extends Submission {
  taken(outcome: Outcome): void;
  notTaken(error: unknown): void;
}
