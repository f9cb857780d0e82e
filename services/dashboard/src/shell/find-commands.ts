import { ACCOUNT_PAGES, CHECK_ADDRESS, mayOpen } from '@verdict/contracts/pages.js';
import type { Role } from '@verdict/domain/role.js';
import type { ApiKey } from '../api/keys.ts';
import { soughtIn } from '../pages/logs/logs-filter.ts';

export interface Command {
  readonly label: string;
  /** Where it leads, as a word. */
  readonly kind: string;
  /** A path of the application. */
  readonly href: string;
}

const KEYS_MAX = 5;

/** Where a typed text may lead: pages and keys by name, and checks by address, domain, IP or id. */
export function findCommands(typed: string, keys: readonly ApiKey[], role: Role): Command[] {
  const text = typed.trim();
  const matches = (label: string) => label.toLowerCase().includes(text.toLowerCase());
  const pages = ACCOUNT_PAGES.filter(({ to, label }) => mayOpen(role, to) && matches(label)).map(
    ({ to, label }) => ({
      label,
      kind: 'Page',
      href: to,
    }),
  );
  if (text === '') return pages;
  if (!mayOpen(role, '/checks')) return pages;
  const named = keys
    .filter(({ id, name, prefix }) => matches(name) || id === text || text.startsWith(prefix))
    .slice(0, KEYS_MAX)
    .map(({ id, name, mode }) => ({
      label: name,
      kind: 'Key',
      href: `/checks?${new URLSearchParams({ key: id, ...(mode === 'test' ? { mode } : {}) })}`,
    }));
  const { begins } = soughtIn(text).filter;
  return begins ? [...pages, ...named, ...found(text)] : [...found(text), ...pages, ...named];
}

function found(text: string): Command[] {
  if (/^job_[0-9A-HJKMNP-TV-Z]{26}$/.test(text))
    return [{ label: `Open the bulk job ${text}`, kind: 'Bulk', href: `/bulk/${text}` }];
  const { filter, log } = soughtIn(text);
  if (log) return [{ label: `Open the check ${log}`, kind: 'Checks', href: `/checks/${log}` }];
  if (Object.keys(filter).length === 0) return [];
  const search = {
    label: `Search the checks for ${text}`,
    kind: 'Checks',
    href: `/checks?${new URLSearchParams({ q: text })}`,
  };
  if (!filter.email) return [search];
  const check = {
    label: `Check ${text} now`,
    kind: CHECK_ADDRESS.label,
    href: `${CHECK_ADDRESS.to}?${new URLSearchParams({ email: text })}`,
  };
  return [search, check];
}
