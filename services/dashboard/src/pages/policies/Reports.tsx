import { useQuery } from '@tanstack/react-query';
import { backtestQuery, shadowQuery } from '../../api/policies.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { SkeletonBlock } from '../../ui/page/Skeletons.tsx';
import { BacktestReport } from './BacktestReport.tsx';
import { ShadowReport } from './ShadowReport.tsx';
import { BACKTEST_TEXTS as TEXTS } from './texts.ts';

/** The effect of a version on real checks. Both reports appear together, so that neither pushes the other down. */
export function Reports({ version, unsaved }: { version: number; unsaved: boolean }) {
  const backtest = useQuery(backtestQuery(version));
  const shadow = useQuery(shadowQuery);
  const error = backtest.error ?? shadow.error;
  if (error && !(backtest.data && shadow.data)) {
    const retry = () => void Promise.all([backtest.refetch(), shadow.refetch()]);
    return <ErrorNotice title={TEXTS.failed} error={error} onRetry={retry} />;
  }
  if (!backtest.data || !shadow.data) return <SkeletonBlock height={180} label={TEXTS.loading} />;
  return (
    <>
      <BacktestReport version={version} backtest={backtest.data.backtest} unsaved={unsaved} />
      {shadow.data.shadow && <ShadowReport report={shadow.data.shadow} />}
    </>
  );
}
