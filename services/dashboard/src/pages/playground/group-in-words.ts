import { countryName } from '../../ui/format/country-name.ts';
import { plural } from '../../ui/format/format.ts';
import { LOG_TEXTS } from '../logs/texts.ts';

export type Group = Readonly<Record<string, string | number | readonly string[] | null>>;

/** Counts end here: 16 is 16 or more. */
const SEEN_MAX = 16;

const counted = (value: unknown, words: readonly [one: string, many: string], rest: string): string =>
  Number(value) >= SEEN_MAX
    ? `${value} or more ${words[1]} ${rest}`
    : `${plural(Number(value), ...words)} ${rest}`;

const SPELLINGS = ['spelling', 'spellings'] as const;
const MAILBOXES = ['mailbox', 'mailboxes'] as const;
const NAMES = ['name', 'names'] as const;

const WORDS: Readonly<Record<string, (value: string | number | readonly string[]) => string>> = {
  mailbox: (value) => counted(value, SPELLINGS, 'of the mailbox'),
  domain: (value) => counted(value, MAILBOXES, 'at the domain'),
  shape: (value) => counted(value, NAMES, 'of this shape'),
  ip: (value) => counted(value, MAILBOXES, 'from the IP'),
  kind: (value) => LOG_TEXTS.networks[String(value)] ?? String(value),
  country: (value) => countryName(String(value)),
  asn: (value) => `AS${value}`,
  organisation: String,
};

/** The parts of a group that have a value: "3 spellings of the mailbox, Hosting provider, Germany (DE)". */
export const groupInWords = (group: Group): string =>
  Object.entries(group)
    .flatMap(([name, value]) =>
      value === null
        ? []
        : [WORDS[name]?.(value) ?? `${name} ${Array.isArray(value) ? value.join(' ') : value}`],
    )
    .join(', ');
