import { Facts } from '../../ui/page/Facts.tsx';
import { SIGNAL_NAMES } from './texts.ts';

type Group = Readonly<Record<string, string | number | readonly string[] | null>>;

/** The parts of a group that have a value: "mailbox 3, domain 1". */
const partsOf = (group: Group): string =>
  Object.entries(group)
    .flatMap(([name, value]) =>
      value === null ? [] : [`${name} ${Array.isArray(value) ? value.join(' ') : value}`],
    )
    .join(', ');

const shown = (value: boolean | string | Group | null): React.ReactNode => {
  if (value === null) return 'none';
  if (typeof value === 'object') return partsOf(value) || 'none';
  if (typeof value === 'string') return <code>{value}</code>;
  return value ? <strong>yes</strong> : 'no';
};

/** Signals in plain words. Without an answer from DNS nobody knows whether a domain accepts mail, and the list says so. */
export function SignalList({
  signals: { mx_unknown: unknown, ...signals },
  mailUnchecked = unknown === true,
}: {
  signals: Readonly<Record<string, boolean | string | Group | null | undefined>>;
  /** For logs, which do not carry the signal. */
  mailUnchecked?: boolean;
}) {
  return (
    <Facts
      facts={Object.entries(signals).map(([name, value]) => [
        SIGNAL_NAMES[name] ?? name,
        name === 'mx_valid' && mailUnchecked ? 'could not be checked' : shown(value ?? null),
      ])}
    />
  );
}
