import { mergeFree } from '@verdict/datasets/build/merge-free.js';
import { mergeRoles } from '@verdict/datasets/build/merge-roles.js';
import { readHandList } from '@verdict/datasets/build/read-hand-list.js';
import { readInstalled } from '@verdict/datasets/build/read-installed.js';
import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { LISTS_DIR } from '@verdict/datasets/shipped.js';
import { readSources } from '@verdict/datasets/sources/read-sources.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import type { Share } from '@verdict/domain/share-of.js';
import { imitatedBrands } from '@verdict/scoring/names/imitated-brands.js';
import type { FactorCode } from '@verdict/scoring/signals/signals.js';
import { countShare } from './count-share.js';
import { isForMeasuring } from './genuine-names.js';
import { drawHomographs } from './homographs.js';
import { judgeAddresses, judgeNames } from './judge-names.js';
import { generatedNames, personalNames } from './mailbox-names.js';
import { readPackageJson } from './read-package.js';
import { generateSlips } from './typo-cases.js';

export interface OtherRule {
  /** A description of the names that the rule should find. */
  readonly found_among: string;
  readonly recall: Share;
  /** A description of the names that it should leave alone. */
  readonly harmed_among: string;
  readonly false_positives: Share;
  /** Among as many of the one kind as of the other. */
  readonly precision: number;
}

const DOMAIN = 'acme-widgets.com';
const GENERATED = 2_000;
const PERSONS = 'mailbox names of persons in all languages of faker';

/** The rules that new throw-away names say nothing about: mailbox names, providers, slips, look-alikes, forms. */
export function evaluateOtherRules(
  shipped: DatasetSnapshot,
  genuine: Record<string, readonly string[]>,
): Partial<Record<FactorCode, OtherRule>> {
  const parts = readInstalled(readSources(LISTS_DIR));
  const namesOf = (source: string) => [...(parts.get(source)?.part.names ?? [])];
  const hand = (name: string) => readHandList(LISTS_DIR, name);
  const rolesWithout = (source: string) => {
    const others = ['role-based-email-addresses', 'reserved-email-addresses-list'].filter(
      (one) => one !== source,
    );
    const lists = {
      added: hand('roles-added'),
      unattended: new Set(hand('roles-unattended')),
      ignored: new Set(hand('roles-ignored')),
    };
    return { ...shipped, roles: mergeRoles({ names: others.flatMap(namesOf), ...lists }) };
  };
  const atDomain = (names: readonly string[]) => names.map((name) => `${name}@${DOMAIN}`);
  const persons = atDomain(personalNames());
  const measured = Object.values(genuine).flat().filter(isForMeasuring);
  const organisations = [
    ...(genuine.universities ?? []),
    ...(genuine['companies whose scripts other sites load'] ?? []),
  ].filter(isForMeasuring);
  const freemailOnly: DatasetSnapshot = {
    ...shipped,
    freeProviders: mergeFree({
      names: namesOf('freemail'),
      knownMail: new Set(),
      excluded: (domain) => shipped.disposable.find(domain) !== undefined,
    }).domains,
    knownMail: new Set(),
  };
  const suite = readPackageJson<[string, string][]>('isemail', 'test/tests.json').filter(
    ([address]) => parseEmail(address).ok,
  );
  const ofSuite = (categories: readonly string[], inside: boolean) =>
    suite.filter(([, label]) => categories.includes(label) === inside).map(([address]) => address);
  const quoted = ['rfc5321QuotedString'];
  const literals = ['rfc5321AddressLiteral', 'deprecatedIPv6'];

  const on = (addresses: readonly string[], code: FactorCode, datasets = shipped) =>
    countShare(judgeAddresses(addresses, datasets), ({ codes }) => codes.includes(code));
  const onNames = (names: readonly string[], code: FactorCode, datasets = shipped) =>
    countShare(judgeNames(names, datasets), ({ codes }) => codes.includes(code));
  const rule = (foundAmong: string, recall: Share, harmedAmong: string, harm: Share): OtherRule => ({
    found_among: foundAmong,
    recall,
    harmed_among: harmedAmong,
    false_positives: harm,
    precision: Number((recall.share / (recall.share + harm.share)).toFixed(3)),
  });

  return {
    ROLE_ACCOUNT: rule(
      'names of role-based-email-addresses, with a table built without it',
      on(
        atDomain(namesOf('role-based-email-addresses')),
        'ROLE_ACCOUNT',
        rolesWithout('role-based-email-addresses'),
      ),
      PERSONS,
      on(persons, 'ROLE_ACCOUNT'),
    ),
    NO_REPLY: rule(
      'names of reserved-email-addresses-list, with a table built without it',
      on(
        atDomain(namesOf('reserved-email-addresses-list')),
        'NO_REPLY',
        rolesWithout('reserved-email-addresses-list'),
      ),
      PERSONS,
      on(persons, 'NO_REPLY'),
    ),
    RANDOM_LOCAL: rule(
      `${GENERATED} generated names of each of four alphabets`,
      on(atDomain(Object.values(generatedNames(GENERATED)).flat()), 'RANDOM_LOCAL'),
      PERSONS,
      on(persons, 'RANDOM_LOCAL'),
    ),
    PLUS_TAG: rule(
      'the same persons with a tag',
      on(
        persons.map((address) => address.replace('@', '+shop@')),
        'PLUS_TAG',
      ),
      PERSONS,
      on(persons, 'PLUS_TAG'),
    ),
    FREE_PROVIDER: rule(
      'common.json of email-providers, with a table built from freemail alone',
      onNames(namesOf('email-providers'), 'FREE_PROVIDER', freemailOnly),
      'universities and companies',
      onNames(organisations, 'FREE_PROVIDER'),
    ),
    LIKELY_TYPO: rule(
      'slips of the 198 providers',
      onNames(
        Object.values(generateSlips())
          .flat()
          .map(({ domain }) => domain),
        'LIKELY_TYPO',
      ),
      'genuine names of all kinds',
      onNames(measured, 'LIKELY_TYPO'),
    ),
    HOMOGRAPH: rule(
      'brands drawn with letters that UTS 39 calls confusable',
      onNames(drawHomographs(imitatedBrands), 'HOMOGRAPH'),
      'genuine names of all kinds',
      onNames(measured, 'HOMOGRAPH'),
    ),
    QUOTED_LOCAL: rule(
      'addresses that isemail labels as quoted strings',
      on(ofSuite(quoted, true), 'QUOTED_LOCAL'),
      'the other addresses of its suite that are accepted',
      on(ofSuite(quoted, false), 'QUOTED_LOCAL'),
    ),
    ADDRESS_LITERAL: rule(
      'addresses that isemail labels as literals',
      on(ofSuite(literals, true), 'ADDRESS_LITERAL'),
      'the other addresses of its suite that are accepted',
      on(ofSuite(literals, false), 'ADDRESS_LITERAL'),
    ),
  };
}
