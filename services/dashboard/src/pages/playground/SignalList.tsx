import { Facts } from '../../ui/Facts.tsx';
import { SIGNAL_NAMES, PLAYGROUND_TEXTS as TEXTS } from './texts.ts';

const shown = (value: boolean | string | null): React.ReactNode => {
  if (value === null) return TEXTS.none;
  if (typeof value === 'string') return <code>{value}</code>;
  return value ? <strong>{TEXTS.yes}</strong> : TEXTS.no;
};

/** Signals by their name in plain words; the field of the API on hover. */
export function SignalList({
  signals,
}: {
  signals: Readonly<Record<string, boolean | string | null | undefined>>;
}) {
  return (
    <Facts
      facts={Object.entries(signals).map(
        ([name, value]) => [SIGNAL_NAMES[name] ?? name, shown(value ?? null)] as const,
      )}
    />
  );
}
