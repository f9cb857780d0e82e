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
    description: 'apply the migrations that the database lacks, and the rights of the services',
    load: async () => (await import('./commands/migrate.js')).addMigrate,
  },
  accounts: {
    description: 'who the customers are, on which plan, and whom their invoices go to',
    load: async () => (await import('./commands/accounts.js')).addAccounts,
  },
  users: {
    description: 'the people who log in',
    load: async () => (await import('./commands/users.js')).addUsers,
  },
  keys: {
    description: 'the API keys, never their secrets',
    load: async () => (await import('./commands/keys.js')).addKeys,
  },
  plans: {
    description: 'what each plan entitles to and costs',
    load: async () => (await import('./commands/plans.js')).addPlans,
  },
  usage: {
    description: 'what the customers used',
    load: async () => (await import('./commands/usage.js')).addUsage,
  },
  statements: {
    description: 'what the customers are billed',
    load: async () => (await import('./commands/statements.js')).addStatements,
  },
  adjustments: {
    description: 'corrections by hand, billed with the next statement',
    load: async () => (await import('./commands/adjustments.js')).addAdjustments,
  },
  invoices: {
    description: 'invoices and credit notes',
    load: async () => (await import('./commands/invoices.js')).addInvoices,
  },
  entities: {
    description: 'who sends the invoices',
    load: async () => (await import('./commands/entities.js')).addEntities,
  },
  report: {
    description: 'a month on one page',
    load: async () => (await import('./commands/report.js')).addReport,
  },
  reconcile: {
    description: 'compare logs, rollups, Redis counters and statements',
    load: async () => (await import('./commands/reconcile.js')).addReconcile,
  },
  'dead-letters': {
    description: 'records that could not be persisted as they are, kept with their payload',
    load: async () => (await import('./commands/dead-letters.js')).addDeadLetters,
  },
  erase: {
    description: 'forget one address wherever it is kept',
    load: async () => (await import('./commands/erase.js')).addErase,
  },
  erasures: {
    description: 'what was forgotten, to be forgotten again after a restore',
    load: async () => (await import('./commands/erasures.js')).addErasures,
  },
  datasets: {
    description: 'the lists that scoring decides by: sources, releases, updates',
    load: async () => (await import('./commands/datasets.js')).addDatasets,
  },
  explain: {
    description: 'why an address gets its answer',
    load: async () => (await import('./commands/explain.js')).addExplain,
  },
  shards: {
    description: 'spread the accounts in Redis over another number of shards',
    load: async () => (await import('./commands/shards.js')).addShards,
  },
  audit: {
    description: 'what was done by hand, and by whom',
    load: async () => (await import('./commands/audit.js')).addAudit,
  },
  backup: {
    description: 'write every row of Postgres, as of now, to a new folder',
    load: async () => (await import('./commands/backup.js')).addBackup,
  },
  restore: {
    description: 'migrate an empty database and fill it from a backup',
    load: async () => (await import('./commands/restore.js')).addRestore,
  },
  completions: {
    description: 'a script that completes the commands in bash or zsh',
    load: async () => (await import('./commands/completions.js')).addCompletions,
  },
} satisfies Record<string, Group>;

export type GroupName = keyof typeof COMMAND_GROUPS;
