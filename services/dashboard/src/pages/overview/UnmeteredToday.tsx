import type { Overview } from '../../api/usage.ts';
import { formatCount } from '../../ui/format/format.ts';
import panel from '../../ui/page/Panel.module.css';

/** The day's allowance of unmetered verdicts, once some of it is used. */
export function UnmeteredToday({ of }: { of: Overview['unmetered'] | undefined }) {
  if (!of || of.used === 0) return null;
  return (
    <p className={panel.note}>
      {`${formatCount(of.used)} of ${formatCount(of.limit)} test checks and tries used since 00:00 UTC. They are free.`}
    </p>
  );
}
