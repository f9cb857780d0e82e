import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { burstsQuery } from '../../api/bursts.ts';
import { latestLogsQuery } from '../../api/logs.ts';
import { overviewQuery, usageQuery } from '../../api/usage.ts';
import { useMay } from '../../shell/use-may.ts';
import { pointsByStep } from '../../ui/chart/chart-points.ts';
import { DecisionChart } from '../../ui/chart/DecisionChart.tsx';
import { daysAgo } from '../../ui/format/format.ts';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonBlock, SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { ReviewLink } from '../review/ReviewLink.tsx';
import { RevisedChecks } from '../revisions/RevisedChecks.tsx';
import { BurstsToday } from './BurstsToday.tsx';
import { LatestChecks } from './LatestChecks.tsx';
import { LATEST_CHECKS } from './latest-checks.ts';
import figures from './MonthFigures.module.css';
import { MonthFigures } from './MonthFigures.tsx';
import { OwnProxy } from './OwnProxy.tsx';
import { OVERVIEW_TEXTS as TEXTS } from './texts.ts';
import { UnmeteredToday } from './UnmeteredToday.tsx';
import { useFirstSteps } from './use-first-steps.ts';

// On their own, because their dialogs are larger than the page, and few accounts are new or under attack.
const AttackCard = lazy(() => import('./AttackCard.tsx'));
const FirstSteps = lazy(() => import('./FirstSteps.tsx'));

const FIRST_CHECK_POLL_MS = 3000;
const DAYS = 30;
/** Height of the skeleton, so that the page does not jump. */
const FIGURES_HEIGHT = 120;
const FIGURES_PHONE_HEIGHT = 226;
const FIGURES_WAITING = (
  <div className={figures.waiting}>
    <SkeletonBlock height={FIGURES_HEIGHT} phoneHeight={FIGURES_PHONE_HEIGHT} label="Loading the overview" />
  </div>
);

const ALL_CHECKS = <ReviewLink beside={<Link to="/checks">All checks</Link>} />;

export function OverviewPage() {
  const may = useMay();
  const overview = useQuery(overviewQuery);
  const latest = useQuery({
    ...latestLogsQuery(LATEST_CHECKS),
    refetchInterval: (query) => (query.state.data?.logs.length === 0 ? FIRST_CHECK_POLL_MS : false),
  });
  const bursts = useQuery({ ...burstsQuery, enabled: may('GET /dashboard/bursts/') });
  const range = { by: 'day', from: daysAgo(DAYS - 1), to: daysAgo(0) } as const;
  const usage = useQuery(usageQuery(range));
  const { guided, first, done } = useFirstSteps({
    isNew: latest.data?.logs.length === 0 && overview.data?.checks_used === 0 && may('POST /dashboard/keys/'),
    first: latest.data?.logs[0],
  });

  return (
    <>
      <PageHeader title="Overview" />
      <Loaded query={overview} what="the overview" skeleton={FIGURES_WAITING}>
        {(data) => <MonthFigures overview={data} />}
      </Loaded>
      {bursts.isLoading ? (
        // Nothing below may move when the card comes.
        <SkeletonBlock height={238} phoneHeight={264} label="Loading the usage" />
      ) : guided ? (
        <Suspense fallback={<SkeletonBlock height={238} phoneHeight={264} label="Loading the first steps" />}>
          <FirstSteps keys={overview.data?.keys ?? []} first={first} onDone={done} />
        </Suspense>
      ) : (
        <>
          {bursts.data !== undefined && bursts.data.bursts.length > 0 && (
            <Suspense fallback={<SkeletonBlock height={238} phoneHeight={264} label="Loading the attack" />}>
              <AttackCard bursts={bursts.data.bursts} />
            </Suspense>
          )}
          <Section title="Checks by day" note="Last 30 days, UTC.">
            <Loaded
              query={usage}
              what="the usage"
              skeleton={<SkeletonBlock height={238} phoneHeight={264} label="Loading the usage" />}
            >
              {(data) => (
                <DecisionChart
                  label="Checks by day and decision"
                  points={pointsByStep(data, range.from, range.to)}
                />
              )}
            </Loaded>
          </Section>
          <div className={panel.wideAndNarrow}>
            <Section title={TEXTS.latest} aside={ALL_CHECKS}>
              <Loaded query={latest} what="the latest checks">
                {(data) => <LatestChecks logs={data.logs} />}
              </Loaded>
            </Section>
            <div>
              <OwnProxy ip={overview.data?.own_proxy ?? null} />
              <Section
                title="Suspicious patterns today"
                note="Repetitions among the last 10,000 checks since 00:00 UTC."
              >
                {overview.data ? (
                  <BurstsToday {...overview.data} />
                ) : (
                  <SkeletonRows rows={4} label="Loading the patterns" />
                )}
              </Section>
              <RevisedChecks />
              <UnmeteredToday of={overview.data?.unmetered} />
            </div>
          </div>
        </>
      )}
    </>
  );
}
