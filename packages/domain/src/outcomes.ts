/** The ways in which a checked person turned out, as the customer reports them. */
export const OUTCOMES = ['genuine', 'abuse', 'bounced', 'complained'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Items of one request. */
export const OUTCOMES_MAX = 1_000;

/** Below this many labels a share says too little. */
export const LABELS_MIN = 30;

/** Things at which abuse again and again proposes something: a rule for a network, an entry for the others. */
export const PROPOSAL_KINDS = ['mailbox', 'domain', 'mx', 'network'] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

/** Whose errors are measured: of signals, own rules, public lists and decisions. */
export const PRECISION_GROUPS = ['code', 'rule', 'source', 'decision'] as const;
export type PrecisionGroup = (typeof PRECISION_GROUPS)[number];
