import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/usage.ts';
import { daysAgo, formatCount } from '../../ui/format/format.ts';
import { Facts } from '../../ui/page/Facts.tsx';
import { OVERVIEW_TEXTS as TEXTS } from './texts.ts';

/** How many checks of the day repeat earlier ones, by kind, each leading to them. */
export function BurstsToday({
  bursts,
  bursts_forgotten: forgotten,
}: Pick<Overview, 'bursts' | 'bursts_forgotten'>) {
  if (!bursts) return <Link to="/rules/scoring">Off. Turn on repeated sign-ups under Scoring.</Link>;
  return (
    <>
      <Facts
        facts={Object.entries(bursts).map(([code, checks]) => [
          TEXTS.burstNames[code] ?? code,
          checks === 0 ? (
            '0'
          ) : (
            <Link key={code} to="/checks" search={{ reason: code, from: daysAgo(0), to: daysAgo(0) }}>
              {formatCount(checks)}
            </Link>
          ),
        ])}
      />
      {forgotten > 0 && (
        <p>
          Your plan tracks too few mailboxes, domains and IPs for this week. Verdict forgot{' '}
          {formatCount(forgotten)} of them today and may miss repetitions.{' '}
          <Link to="/billing">Upgrade to track more.</Link>
        </p>
      )}
    </>
  );
}
