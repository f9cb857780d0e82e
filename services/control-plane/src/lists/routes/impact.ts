import { domainToASCII } from 'node:url';
import type { Considered } from '@verdict/contracts/considered.js';
import { IMPACT_DAYS } from '@verdict/contracts/dashboard/lists-api.js';
import { LIST_ROUTES } from '@verdict/contracts/routes/list-routes.js';
import type { ListedSubjects, NamedChecksRow, NamedSubjects } from '@verdict/db/lists/list-impact.js';
import { LIST_NAMES } from '@verdict/domain/account-list.js';
import { ipDigits } from '@verdict/domain/address/ip-network.js';
import { mailboxOf, sharesMailboxes } from '@verdict/domain/address/mailbox-of.js';
import { normalIp } from '@verdict/domain/address/normal-ip.js';
import { parseIp } from '@verdict/domain/address/parse-ip.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import type { ListValue } from '@verdict/domain/list-value.js';
import { hostsOf } from '@verdict/domain/mail-servers.js';
import type { Subject } from '@verdict/redis-store/step.js';
import { attach } from '@verdict/service-kit/attach.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { domainSpellings, emailSpellings, ipSpellings } from '../../logs/spellings.js';
import { readEntry } from '../read-entry.js';
import { tooWide } from '../too-wide.js';

const DAY_MS = 86_400_000;
/** An entry comes before rules, repetitions and networks, so only other entries matter. */
const CONSIDERED: Considered = ['lists'];

/** Says which checks an entry would have changed, before it is added. */
export function impactRoutes(
  app: ControlPlaneApp,
  { config, search, deciding }: Pick<Dependencies, 'config' | 'search' | 'deciding'>,
): void {
  for (const list of LIST_NAMES) {
    attach(app, LIST_ROUTES[list].impact, async (request, reply) => {
      const { account } = request.keyCaller;
      const parsed = readEntry(request.query);
      const { kind, match, value } = parsed.entry;
      const since = new Date(Date.now() - IMPACT_DAYS * DAY_MS);
      const entries = await account.lists.inEffect();
      const hashOf = (address: string) => hashEmail(config.EMAIL_HASH_SECRET, address);
      const addresses = [parsed.entry, ...entries].filter((entry) => entry.kind === 'address');
      const byHash = new Map(addresses.map((entry) => [hashOf(entry.value), entry.value]));
      const subjects: NamedSubjects =
        match === 'mailbox'
          ? { kind: 'mailbox', hash: hashOf(value) }
          : subjectsOf(parsed.entry, parsed.sent);
      const rows = await search(
        account.id,
        ({ impact }) => impact.named(subjects, listedSubjects(entries, [...byHash.keys()]), since),
        { signal: whileOpen(reply) },
      );
      const decides = await deciding(
        account.id,
        { ...parsed.entry, list, expires_at: null },
        rows.map((row) => exampleOf(row, byHash)),
      );
      const by_decision = { allow: 0, challenge: 0, review: 0, block: 0 };
      for (const [i, { decision, checks }] of rows.entries())
        if (decides[i]) by_decision[decision as keyof typeof by_decision] += checks;
      const checks = Object.values(by_decision).reduce((sum, count) => sum + count, 0);
      return {
        success: true,
        kind,
        match,
        mailbox: mailboxNamed(value),
        value,
        shared: tooWide(parsed.entry) !== null,
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
function subjectsOf({ kind, match, value }: ListValue, sent: string): NamedSubjects {
  if (match === 'mx') return { kind: 'mx', host: value };
  if (kind === 'ip') return { kind, ips: ipSpellings('value', sent) };
  if (kind === 'domain') return { kind, domains: domainSpellings('value', value) };
  if (kind === 'network') return { kind, networks: networkSpellings(value) };
  return { kind, ...emailSpellings('value', value) };
}

function listedSubjects(entries: readonly ListValue[], hashes: readonly string[]): ListedSubjects {
  const valuesOf = (wanted: ListValue['kind']) =>
    entries.filter(({ kind, match }) => kind === wanted && match !== 'mx').map(({ value }) => value);
  return {
    hashes,
    hasMx: entries.some(({ match }) => match === 'mx'),
    domains: valuesOf('domain').flatMap((value) => domainSpellings('value', value)),
    networks: [
      ...valuesOf('network'),
      ...valuesOf('ip').map((ip) => `${ip}/${ip.includes(':') ? 128 : 32}`),
    ].flatMap(networkSpellings),
  };
}

/** No address and no mailbox: an entry never names it. */
const UNLISTED = '-';

/** A check of a group as the step meets it. Only addresses that are listed are known by their hash, and others do not matter. */
function exampleOf(
  { address, mailbox, is_spelling, domain, mx, ip }: NamedChecksRow,
  byHash: ReadonlyMap<string, string>,
): Subject {
  const of = (hash: string | null) => byHash.get(hash ?? '') ?? UNLISTED;
  const parsed = parseIp(ip ?? '');
  const host = parsed.ok ? normalIp(parsed.ip) : '';
  return {
    address: of(address),
    mailbox: is_spelling ? of(mailbox) : '',
    domain: domainToASCII(domain ?? ''),
    ip: host,
    digits: ipDigits(host),
    hosts: hostsOf(mx ?? ''),
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
