import { DECISIONS } from '@verdict/domain/decision.js';
import type { Field, Language } from '@verdict/domain/policy/policy.js';
import { COUNTRY_CODES } from './country-codes.js';
import { IP_KINDS } from './ip-network.js';
import { contractFlags, expandedFlags } from './signal-flags.js';

/** The operators of each type of field. */
const POLICY_OPERATORS = {
  number: ['eq', 'ne', 'gte', 'lte'],
  flag: ['eq', 'ne'],
  text: ['eq', 'ne', 'in'],
  domain: ['eq', 'ne', 'in', 'under'],
  codes: ['has'],
  hosts: ['has', 'under'],
} as const satisfies Language['operators'];

/** A field that the rules of a policy may ask about, with its name in a sentence. */
export type PolicyField = Field & { readonly label: string };

const flagFields = Object.entries({ ...contractFlags, ...expandedFlags }).map(
  ([name, { label }]) => [`signals.${name}`, { type: 'flag', label }] as const,
);

const SEEN: readonly [string, string][] = [
  ['mailbox', 'Spellings of the mailbox in 7 days'],
  ['domain', 'Mailboxes of the domain in 7 days'],
  ['shape', 'Mailboxes that differ only in digits in 7 days'],
  ['ip', 'Mailboxes from the IP in 24 hours'],
];

/** All of them by name. The builder, the validator and the docs follow from it. */
const POLICY_FIELDS: Readonly<Record<string, PolicyField>> = {
  score: { type: 'number', label: 'Score', range: [0, 100] },
  decision: { type: 'text', label: 'Decision', values: DECISIONS },
  codes: { type: 'codes', label: 'Reason codes' },
  domain: { type: 'domain', label: 'Domain' },
  'domain.shape': { type: 'text', label: 'Shape of the domain', form: 'shape' },
  ending: { type: 'text', label: 'Ending of the domain', form: 'ending' },
  ...Object.fromEntries(flagFields),
  ...Object.fromEntries(
    SEEN.map(([name, label]) => [`seen.${name}`, { type: 'number', label, range: [1, 16] }]),
  ),
  'mail.host': { type: 'hosts', label: 'Mail server' },
  'mail.operator': { type: 'domain', label: 'Operator of the mail server' },
  'ip.kind': { type: 'text', label: 'Kind of network', values: IP_KINDS, nullable: true },
  'ip.country': { type: 'text', label: 'Country of the IP', values: COUNTRY_CODES, form: 'country' },
  'ip.asn': { type: 'text', label: 'Autonomous system of the IP', form: 'asn' },
  'ip.network': { type: 'text', label: 'Network of the IP', form: 'network' },
  key: { type: 'text', label: 'API key', form: 'key' },
};

/** The words of the language, and what a policy may hold at most. */
export const POLICY_LANGUAGE = {
  fields: POLICY_FIELDS,
  operators: POLICY_OPERATORS,
  limits: { rules: 50, conditions: 200, depth: 3, bytes: 32_768, nameChars: 80, noteChars: 200 },
} as const satisfies Language;
