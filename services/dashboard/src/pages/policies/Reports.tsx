import { useQuery } from '@tanstack/react-query';
import { backtestQuery, shadowQuery } from '../../api/policies.ts';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { SkeletonBlock } from '../../ui/page/Skeletons.tsx';
import { BacktestReport } from './BacktestReport.tsx';
import { ShadowReport } from './ShadowReport.tsx';

/** The effect of a version on real checks. Both reports appear together, so that neither pushes the other down. */
export function Reports({ version, unsaved }: { version: number; unsaved: boolean }) {
  const backtest = useQuery(backtestQuery(version));
  const shadow = useQuery(shadowQuery);
  const skeleton = <SkeletonBlock height={180} label="Loading the reports" />;
  return (
    <Loaded query={backtest} what="the backtest" skeleton={skeleton}>
      {(tested) => (
        <Loaded query={shadow} what="the shadow report" skeleton={skeleton}>
          {(shadowed) => (
            <>
              <BacktestReport version={version} backtest={tested.backtest} unsaved={unsaved} />
              {shadowed.shadow && <ShadowReport report={shadowed.shadow} />}
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
