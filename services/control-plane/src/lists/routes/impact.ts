import type { Considered } from '@verdict/contracts/considered.js';
import { IMPACT_DAYS } from '@verdict/contracts/dashboard/lists-api.js';
import { LIST_ROUTES } from '@verdict/contracts/routes/list-routes.js';
import type { DecidedFirst, NamedSubjects } from '@verdict/db/lists/list-impact.js';
import { LIST_NAMES } from '@verdict/domain/account-list.js';
import { mailboxOf, sharesMailboxes } from '@verdict/domain/address/mailbox-of.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { type ListValue, parseListValue } from '@verdict/domain/list-value.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { domainSpellings, emailSpellings, ipSpellings } from '../../logs/spellings.js';

const DAY_MS = 86_400_000;
/** An entry decides before rules, repetitions and networks, so only other entries matter. */
const CONSIDERED: Considered = ['lists'];

/** Says which checks an entry would have changed, before it is added. */
export function impactRoutes(
  app: ControlPlaneApp,
  { config, search }: Pick<Dependencies, 'config' | 'search'>,
): void {
  for (const list of LIST_NAMES) {
    attach(app, LIST_ROUTES[list].impact, async (request) => {
      const { account } = request.caller;
      const parsed = parseListValue(request.query.value, request.query.match);
      if (!parsed.ok) throw invalidField('value', parsed.message);
      const { kind, match, value } = parsed.entry;
      const since = new Date(Date.now() - IMPACT_DAYS * DAY_MS);
      const subjects: NamedSubjects =
        match === 'mailbox'
          ? { kind: 'mailbox', hash: hashEmail(config.EMAIL_HASH_SECRET, value) }
          : subjectsOf(parsed.entry, request.query.value);
      const first = decidedFirst(await account.lists.deciding(parsed.entry), config.EMAIL_HASH_SECRET);
      const rows = await search(account.id, () => account.impact.byDecision(subjects, first, since));
      const by_decision = { allow: 0, challenge: 0, review: 0, block: 0 };
      for (const { decision, checks } of rows) by_decision[decision as keyof typeof by_decision] = checks;
      const checks = Object.values(by_decision).reduce((sum, count) => sum + count, 0);
      return {
        success: true,
        kind,
        match,
        mailbox: mailboxNamed(value),
        value,
        since: since.toISOString().replace('Z', '000+00:00'),
        checks,
        changed: checks - by_decision[list],
        by_decision,
        considered: CONSIDERED,
        standing: (await account.lists.standing([value])).find((one) => one.match === match)?.list ?? null,
      };
    });
  }
}

/** `sent` is how the caller spelled it: an IP may have been stored like that. */
function subjectsOf({ kind, value }: ListValue, sent: string): NamedSubjects {
  if (kind === 'ip') return { kind, ips: [...ipSpellings('value', sent), `::ffff:${value}`] };
  if (kind === 'domain') return { kind, domains: domainSpellings('value', value) };
  if (kind === 'network') return { kind, networks: networkSpellings(value) };
  return { kind, ...emailSpellings('value', value) };
}

/** The subjects of entries that decide before the one asked about. */
function decidedFirst(entries: readonly ListValue[], hashSecret: string): DecidedFirst {
  const valuesOf = (is: (entry: ListValue) => boolean) => entries.filter(is).map(({ value }) => value);
  const hashed = (matching: ListValue['match']) =>
    valuesOf(({ kind, match }) => kind === 'address' && match === matching).map((value) =>
      hashEmail(hashSecret, value),
    );
  return {
    addresses: hashed('exact'),
    mailboxes: hashed('mailbox'),
    domains: valuesOf(({ kind }) => kind === 'domain').flatMap((value) => domainSpellings('value', value)),
    networks: [
      ...valuesOf(({ kind }) => kind === 'network'),
      ...valuesOf(({ kind }) => kind === 'ip').map((ip) => `${ip}/${ip.includes(':') ? 128 : 32}`),
    ].flatMap(networkSpellings),
  };
}

/** The mailbox of an address that has other spellings. */
function mailboxNamed(value: string): string | null {
  const domain = value.slice(value.lastIndexOf('@') + 1);
  return value.includes('@') && sharesMailboxes(domain) ? mailboxOf({ canonical: value, domain }) : null;
}

/** An IPv4 address may have been stored as an IPv6 address that maps it. */
function networkSpellings(network: string): string[] {
  const [address = '', length = ''] = network.split('/');
  return address.includes(':') ? [network] : [network, `::ffff:${address}/${96 + Number(length)}`];
}
