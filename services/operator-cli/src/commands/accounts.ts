import {
  listAccounts,
  resumeAccount,
  suspendAccount,
  viewAccount,
} from '@verdict/db/accounts/operator-accounts.js';
import { readBillingProfile, setBillingProfile } from '@verdict/db/billing/billing-profiles.js';
import { changePlan, findNextPlan } from '@verdict/db/billing/plan-changes.js';
import { findLatestPlanRequest } from '@verdict/db/billing/plan-requests.js';
import { formatRate, parseRate } from '@verdict/domain/money.js';
import { monthOf } from '@verdict/domain/month.js';
import { DEFAULT_PLAN, plansNoSmallerThan } from '@verdict/domain/plans.js';
import { pricesIn } from '@verdict/domain/pricing/prices-in.js';
import type { Command } from 'commander';
import { operator, plans } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { createId, operatorAudit } from '../operator-audit.js';
import { requireAccount, requireBilled } from '../require-account.js';
import { countryOption } from './country-option.js';

interface BillingWish {
  readonly name?: string;
  readonly address?: string;
  readonly taxId?: string;
  readonly contact?: string;
  readonly taxRate?: string;
  readonly taxNote?: string;
  readonly ref?: string;
  readonly entity?: string;
  readonly country?: string;
  readonly po?: string;
}

export function addAccounts(program: Command, { output }: Context): void {
  const accounts = program
    .command('accounts')
    .description('list and change customers, their plans and billing addresses');
  addReading(accounts, output);
  addCreation(accounts, output);
  addSettings(accounts, output);
  addEnds(accounts, output);
}

type Output = Context['output'];

function addReading(accounts: Command, output: Output): void {
  accounts.command('list').action(async () => {
    output().rows(await withDatabase(listAccounts), 'There are no accounts.');
  });

  accounts
    .command('show <account>')
    .description('show one account, by id or by the email of a user')
    .action(async (account: string) => {
      await withDatabase(async (db) => {
        const { id } = await requireAccount(db, account);
        const { users, keys, ...view } = await viewAccount(db, id);
        const next = await findNextPlan(db, id);
        const request = await findLatestPlanRequest(db, id);
        const { address, tax_rate, ...billing } = await readBillingProfile(db, id);
        output().object({
          ...view,
          users: users.join(' '),
          keys,
          next_plan: next ? `${next.plan} from ${next.effective_at.slice(0, 10)}` : null,
          plan_request: request?.status === 'open' ? request.plan : null,
          billing_name: billing.name,
          billing_address: address?.replaceAll('\n', ', ') ?? null,
          tax_id: billing.tax_id,
          billing_contact: billing.contact,
          tax_rate: formatRate(tax_rate),
          tax_note: billing.tax_note,
          external_ref: billing.external_ref,
          legal_entity: billing.legal_entity,
          country: billing.country,
          po_number: billing.po_number,
          hold_reason: billing.hold_reason,
        });
      });
    });
}

function addCreation(accounts: Command, output: Output): void {
  accounts
    .command('create <email>')
    .description('create an account with one user, even with SIGNUP=closed; prints the password once')
    .option('--name <text>', 'name of the account and its user')
    .option('--plan <plan>', 'initial plan', DEFAULT_PLAN)
    .action(async (email: string, { name, plan }: { name?: string; plan: string }) => {
      const { createUser } = await import('@verdict/db/people/users.js');
      const { hashPassword } = await import('@verdict/db/people/password-hash.js');
      const { readablePassword } = await import('@verdict/domain/readable-password.js');
      const { requireEmail } = await import('../require-email.js');
      requirePlan(plan);
      const password = readablePassword();
      const user = {
        userId: createId('usr'),
        accountId: createId('acc'),
        email: requireEmail(email),
        name: name ?? null,
        passwordHash: await hashPassword(password),
        plan,
      };
      const audit = operatorAudit('user.registered', user.userId, { plan });
      const created = await withDatabase((db) => createUser(db, user, audit));
      if (!created) throw new Error(`${user.email} is already registered`);
      output().object({ account: user.accountId, user: user.userId, email: user.email, plan, password });
    });
}

function addSettings(accounts: Command, output: Output): void {
  accounts
    .command('verify-domain <account> <domain>')
    .description('verify a domain of its single sign-on without a TXT record')
    .action(async (account: string, domain: string) => {
      const { proveDomain } = await import('@verdict/db/sso/sso-connection.js');
      await withDatabase(async (db) => {
        const { id } = await requireAccount(db, account);
        const audit = operatorAudit('sso.domain_proven', id, { domain });
        if (!(await proveDomain(db, id, domain.toLowerCase(), audit)))
          throw new Error(`${domain} is no pending domain of the account, or another account has it`);
        output().object({ account: id, domain, verified: true });
      });
    });
  accounts
    .command('set-plan <account> <plan>')
    .description('change the plan or approve a request; upgrades start now, downgrades next month')
    .action(async (account: string, plan: string) => {
      requirePlan(plan);
      await withDatabase(async (db) => {
        const { id, plan: present } = await requireAccount(db, account);
        const wish = {
          plan,
          downFrom: plansNoSmallerThan(pricesIn(plans(), monthOf(new Date())), plan),
          madeBy: operator(),
        };
        const { rows } = await changePlan(db, id, wish, operatorAudit('subscription.changed', id, { plan }));
        const changed = rows[0];
        output().object({
          account: id,
          plan: changed?.plan ?? present,
          next_plan: changed?.next_plan ?? null,
          effective_at: changed?.effective_at ?? null,
          changed: changed !== undefined,
        });
      });
    });

  accounts
    .command('billing <account>')
    .description('set the billing address; \\n starts a new line, an empty text clears a field')
    .option('--name <text>')
    .option('--address <text>')
    .option('--tax-id <text>')
    .option('--contact <text>')
    .option('--tax-rate <percent>', 'such as 19 or 7.25')
    .option('--tax-note <text>', 'name of the tax, or why none applies')
    .option('--ref <text>', 'the customer’s id in another system, such as cus_… of Stripe')
    .addOption(countryOption())
    .option('--po <text>', 'the customer’s purchase order number')
    .option('--entity <id>', 'legal entity that invoices, if not the default')
    .action(async (account: string, wish: BillingWish) => {
      const rate = wish.taxRate === undefined ? undefined : parseRate(wish.taxRate);
      if (rate === null) throw new Error('--tax-rate must be a percentage, such as 19 or 7.25');
      const changes = {
        ...field('name', wish.name),
        ...field('address', wish.address?.replaceAll('\\n', '\n')),
        ...field('tax_id', wish.taxId),
        ...field('contact', wish.contact),
        ...field('tax_note', wish.taxNote),
        ...field('external_ref', wish.ref),
        ...field('legal_entity', wish.entity),
        ...field('country', wish.country),
        ...field('po_number', wish.po),
        ...(rate !== undefined && { tax_rate: rate }),
      };
      await withDatabase(async (db) => {
        const id = await requireBilled(db, account);
        const audit = operatorAudit('billing.profile_set', id, { fields: Object.keys(changes) });
        const profile = await setBillingProfile(db, id, changes, audit);
        output().object({ account: id, ...profile, tax_rate: formatRate(profile.tax_rate) });
      });
    });
}

function addEnds(accounts: Command, output: Output): void {
  accounts
    .command('suspend <account>')
    .description('refuse every key of the account (403) until you resume it; users can still log in and read')
    .requiredOption('--reason <text>', 'for the audit log')
    .action(async (account: string, { reason }: { reason: string }) => {
      await withDatabase(async (db) => {
        const { id } = await requireAccount(db, account);
        const audit = operatorAudit('account.suspended', id, { reason });
        const changed = await suspendAccount(db, id, reason, audit);
        output().object({ account: id, status: 'suspended', changed });
      });
    });

  accounts
    .command('resume <account>')
    .description('end a suspension and restore the status of each key')
    .action(async (account: string) => {
      await withDatabase(async (db) => {
        const { id } = await requireAccount(db, account);
        const changed = await resumeAccount(db, id, operatorAudit('account.resumed', id));
        output().object({ account: id, status: 'active', changed });
      });
    });

  accounts
    .command('delete <account>')
    .description('delete an account with its users, keys, lists and addresses; billing records stay')
    .requiredOption('--confirm <id>', 'repeat the id of the account')
    .action(async (account: string, { confirm }: { confirm: string }) => {
      const { deleteEverywhere } = await import('../delete-everywhere.js');
      output().object(await deleteEverywhere(account, confirm));
    });
}

function requirePlan(plan: string): void {
  if (!plans().has(plan)) throw new Error(`there is no plan "${plan}"; see verdict plans`);
}

/** An empty text empties the field; one that was not named stays. */
const field = <Name extends string>(
  name: Name,
  text: string | undefined,
): Partial<Record<Name, string | null>> =>
  text === undefined ? {} : ({ [name]: text === '' ? null : text } as Record<Name, string | null>);
