/** One check as the persisting statement reads it: the fact, and beside it who it was about. */
export interface CheckRow {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly request_id: string;
  /** Microseconds as text: it never passes through a JS Date. */
  readonly created_at: string;
  readonly email: string | null;
  readonly domain: string;
  readonly email_hash: string;
  /** Of the mailbox behind an address that is another spelling of it. */
  readonly mailbox_hash: string | null;
  readonly ip: string | null;
  /** The policy that judged it, and the position of the rule that decided. */
  readonly policy_version?: number | null;
  readonly policy_rule?: number | null;
  /** Positions of its rules that only watch and matched. */
  readonly watched?: readonly number[] | null;
  /** Counts of repetitions, in the order of the burst rules. */
  readonly seen?: readonly (number | null)[] | null;
  /** Network of the IP, as networkText writes it: '' for none, null where it was not looked up. */
  readonly ip_network?: string | null;
  /** The version of the shadow policy, and its outcome where a rule of it matched or it differs. */
  readonly shadow?: object | null;
  /** The customer's label for it. */
  readonly tag?: string | null;
  /** Rows that hold the same object send it to Postgres once. */
  readonly verdict: CheckVerdict;
}

export interface CheckVerdict {
  readonly decision: string;
  readonly risk_score: number;
  /** Before lists and rules. */
  readonly verdict_score: number;
  readonly signals: object;
  /** The expanded flags that are true. */
  readonly extra?: readonly string[];
  /** Mail servers, as mailText writes them: '' for none, null where they are not known. */
  readonly mx?: string | null;
  readonly factors: readonly object[];
  readonly datasets: string;
  readonly reasons: readonly string[];
}
