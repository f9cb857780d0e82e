import { formatAge, formatCount } from '../../ui/format/format.ts';
import type { HealthCheck } from './health.ts';

export const OPERATOR_TEXTS = {
  forbidden: 'This area is for operators',
  accounts: 'Accounts',
};

export const ACCOUNTS_TEXTS = {
  search: 'Account id or name, or a whole login address',
  states: { active: 'active', quiet: 'no checks', used_up: 'over quota' },
};

export const ACCOUNT_TEXTS = {
  actors: { customer: 'customer', operator: 'operator', system: 'the system' },
};

export const ACCOUNT_ACTION_TEXTS = {
  titles: {
    plan: 'Change plan',
    suspend: 'Suspend account',
    resume: 'Resume account',
    reset: 'Send password reset',
  },
  submits: {
    plan: 'Change plan',
    suspend: 'Suspend account',
    resume: 'Resume account',
    reset: 'Send reset link',
  },
  texts: {
    plan: 'Upgrades start now, downgrades next month.',
    suspend:
      'Requests with any key of this account are refused immediately. Its people can still log in and read.',
    resume: 'Every key gets the status back that it had.',
    reset:
      'Everyone who logs in to this account gets a link, valid for one hour. Current passwords keep working.',
  },
  done: {
    plan: 'Plan changed',
    suspend: 'Account suspended',
    resume: 'Account resumed',
    reset: 'Reset link sent',
  },
};

export const REQUESTS_TEXTS = {
  grantTitle: (account: string, plan: string) => `Grant ${plan} to ${account}`,
  refuseTitle: (account: string, plan: string) => `Refuse ${plan} to ${account}`,
};

/** Ages of parts of the system, in the units people say. */
const ago = (seconds: string | number | null): string =>
  seconds === null ? 'never' : `${formatAge(Number(seconds))} ago`;

type HealthValue = (value: string | number | null) => string;

export const SYSTEM_TEXTS = {
  checks: {
    worker: 'Worker',
    backlog: 'Checks waiting to be stored',
    oldest: 'Longest wait',
    deadLetters: 'Checks that could not be stored',
    changes: 'Account changes not yet effective',
    scoring: 'Scoring',
    datasets: 'Disposable domains',
    reconciliation: 'Reconciliation',
    closing: 'Month being closed',
    invoices: 'Invoices not issued',
  } satisfies Record<HealthCheck['name'], string>,
  values: {
    worker: (age) => `reported ${ago(age)} (every 10 s, alarm after 60 s)`,
    backlog: (waiting) => `${formatCount(Number(waiting))} (alarm above 10,000)`,
    oldest: (age) => `${age === null ? 'none' : formatAge(Number(age))} (alarm after 60 s)`,
    deadLetters: (letters) => `${letters} (alarm above 0)`,
    changes: (count) => `${count}`,
    scoring: () => 'answers',
    datasets: (days) => `updated ${days} days ago (watch after 7)`,
    reconciliation: (differences) =>
      `${differences} differences (alarm above 0, watch after 2 days without a run)`,
    closing: (progress) => `${progress} statements (alarm after 10 minutes without one)`,
    invoices: (counts) => `${counts} (alarm after 2 hours)`,
  } satisfies Record<HealthCheck['name'], HealthValue> as Record<HealthCheck['name'], HealthValue>,
  commands: {
    deadLetters: 'npx verdict dead-letters list',
    datasets: 'npx verdict datasets update',
    reconciliation: 'npx verdict reconcile',
    invoices: 'npx verdict invoices preview',
  } as Partial<Record<HealthCheck['name'], string>>,
};
