import type { Command } from 'commander';
import type { Context } from './context.js';

type Add = (program: Command, context: Context) => void;

interface Group {
  readonly description: string;
  readonly load: () => Promise<Add>;
}

/** Every first word after `verdict`. Loaded one by one: Prisma and BullMQ take longer to load than most commands to run. */
export const COMMAND_GROUPS = {
  migrate: {
    description: 'apply pending migrations and the rights of the services',
    load: async () => (await import('./commands/migrate.js')).addMigrate,
  },
  accounts: {
    description: 'list and change customers, their plans and billing addresses',
    load: async () => (await import('./commands/accounts.js')).addAccounts,
  },
  users: {
    description: 'manage the people who log in',
    load: async () => (await import('./commands/users.js')).addUsers,
  },
  keys: {
    description: 'list, label and revoke API keys; create signing keys',
    load: async () => (await import('./commands/keys.js')).addKeys,
  },
  plans: {
    description: 'show the plans with quotas and prices',
    load: async () => (await import('./commands/plans.js')).addPlans,
  },
  usage: {
    description: 'show and export usage',
    load: async () => (await import('./commands/usage.js')).addUsage,
  },
  top: {
    description: 'show the accounts with the most requests in five minutes',
    load: async () => (await import('./commands/top.js')).addTop,
  },
  statements: {
    description: 'list, show and close statements',
    load: async () => (await import('./commands/statements.js')).addStatements,
  },
  adjustments: {
    description: 'add corrections to the next statement',
    load: async () => (await import('./commands/adjustments.js')).addAdjustments,
  },
  terms: {
    description: 'set the prices and discounts of one account',
    load: async () => (await import('./commands/terms.js')).addTermsCommands,
  },
  invoices: {
    description: 'list, issue, credit and export invoices',
    load: async () => (await import('./commands/invoices.js')).addInvoices,
  },
  entities: {
    description: 'set the legal entities that send invoices',
    load: async () => (await import('./commands/entities.js')).addEntities,
  },
  report: {
    description: 'write a monthly report',
    load: async () => (await import('./commands/report.js')).addReport,
  },
  reconcile: {
    description: 'compare logs, results of files, rollups, Redis counters and statements',
    load: async () => (await import('./commands/reconcile.js')).addReconcile,
  },
  'dead-letters': {
    description: 'list, retry and discard checks that could not be stored',
    load: async () => (await import('./commands/dead-letters.js')).addDeadLetters,
  },
  erase: {
    description: 'erase one address everywhere',
    load: async () => (await import('./commands/erase.js')).addErase,
  },
  subject: {
    description: 'print everything that is kept of one address',
    load: async () => (await import('./commands/subject.js')).addSubject,
  },
  erasures: {
    description: 'export erasures, and repeat them after a restore',
    load: async () => (await import('./commands/erasures.js')).addErasures,
  },
  datasets: {
    description: 'show, update and roll back the lists that scoring uses',
    load: async () => (await import('./commands/datasets.js')).addDatasets,
  },
  explain: {
    description: 'explain the score of an address',
    load: async () => (await import('./commands/explain.js')).addExplain,
  },
  policy: {
    description: 'pull, test and push policies as files',
    load: async () => (await import('./commands/policy.js')).addPolicy,
  },
  outcomes: {
    description: 'say what became of checked people, from a file',
    load: async () => (await import('./commands/outcomes.js')).addOutcomes,
  },
  shards: {
    description: 'change the number of Redis shards',
    load: async () => (await import('./commands/shards.js')).addShards,
  },
  audit: {
    description: 'show what operators did',
    load: async () => (await import('./commands/audit.js')).addAudit,
  },
  backup: {
    description: 'write a consistent backup of Postgres to a new folder',
    load: async () => (await import('./commands/backup.js')).addBackup,
  },
  facts: {
    description: 'archive and restore the stored checks of old months',
    load: async () => (await import('./commands/facts.js')).addFacts,
  },
  restore: {
    description: 'restore a backup into an empty database',
    load: async () => (await import('./commands/restore.js')).addRestore,
  },
  completions: {
    description: 'print shell completion for bash or zsh',
    load: async () => (await import('./commands/completions.js')).addCompletions,
  },
} satisfies Record<string, Group>;

export type GroupName = keyof typeof COMMAND_GROUPS;
