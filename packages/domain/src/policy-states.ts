export const POLICY_STATES = ['live', 'shadow', 'idle'] as const;

export const BACKTEST_STATUSES = ['queued', 'running', 'done', 'failed'] as const;
