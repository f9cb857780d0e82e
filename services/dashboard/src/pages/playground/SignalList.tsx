import { Facts } from '../../ui/page/Facts.tsx';
import { type Group, groupInWords } from './group-in-words.ts';
import { SIGNAL_NAMES } from './texts.ts';

const shown = (value: boolean | string | Group | null): React.ReactNode => {
  if (value === null) return 'none';
  if (typeof value === 'object') return groupInWords(value) || 'none';
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
