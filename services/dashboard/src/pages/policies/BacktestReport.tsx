import { Button, Progress } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Backtest, isRunning, POLICIES, startBacktest } from '../../api/policies.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { daysAgo, formatCount, formatDay, formatShare, plural } from '../../ui/format/format.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import classes from './Comparison.module.css';
import { Comparison } from './Comparison.tsx';
import { BACKTEST_TEXTS as TEXTS } from './texts.ts';

const DAYS = 30;
const REASONS = ['erased', 'expired', 'earlier_release', 'no_network'] as const;

/** The checks of the last 30 days judged by a version: started here, followed while it runs, and what came of it. */
export function BacktestReport({
  version,
  backtest,
  unsaved,
}: {
  version: number;
  backtest: Backtest | null;
  unsaved: boolean;
}) {
  const client = useQueryClient();
  const starting = useMutation({
    mutationFn: () => startBacktest(version, { from: daysAgo(DAYS), to: daysAgo(0) }),
    onSettled: () => client.invalidateQueries({ queryKey: [...POLICIES, 'backtest'] }),
  });
  const running = backtest !== null && isRunning(backtest);
  return (
    <Section
      title={TEXTS.title}
      note={
        backtest
          ? `${TEXTS.between(formatDay(backtest.from), formatDay(backtest.to))} ${unsaved ? TEXTS.unsaved(version) : ''}`
          : TEXTS.none
      }
      aside={
        <Button
          variant="default"
          size="xs"
          disabled={running}
          loading={starting.isPending}
          onClick={() => starting.mutate()}
        >
          {backtest ? TEXTS.again : TEXTS.run}
        </Button>
      }
    >
      {starting.error && <ErrorNotice title={TEXTS.startFailed} error={starting.error} />}
      {backtest && <Outcome backtest={backtest} running={running} />}
    </Section>
  );
}

function Outcome({ backtest, running }: { backtest: Backtest; running: boolean }) {
  const { status, progress, judged, left_out: leftOut, networks_looked_up: lookedUp } = backtest;
  const left = Object.values(leftOut).reduce((sum, checks) => sum + checks, 0);
  const missing = REASONS.filter((reason) => leftOut[reason] > 0);
  return (
    <div className={panel.stack}>
      {running && (
        <div>
          <Progress value={100 * progress} aria-label={TEXTS.progress} transitionDuration={0} />
          <p className={panel.note} role="status">
            {status === 'queued'
              ? TEXTS.queued
              : TEXTS.running(formatShare(progress, 1), plural(judged, 'check'))}
          </p>
        </div>
      )}
      {status === 'failed' && (
        <p className={panel.note} role="alert">
          {TEXTS.broken}
        </p>
      )}
      {missing.length > 0 && (
        <div>
          <p className={classes.sum}>{TEXTS.leftOut(formatCount(left), plural(judged + left, 'check'))}</p>
          <ul className={classes.hits}>
            {missing.map((reason) => (
              <li key={reason}>
                <span>{TEXTS.reasons[reason]}</span>
                <strong>{formatCount(leftOut[reason])}</strong>
              </li>
            ))}
          </ul>
        </div>
      )}
      {judged > 0 && <Comparison title={TEXTS.title} report={backtest} />}
      {status === 'done' && judged === 0 && missing.length === 0 && (
        <p className={panel.note}>{TEXTS.empty}</p>
      )}
      {lookedUp > 0 && <p className={panel.note}>{TEXTS.lookedUp(plural(lookedUp, 'check'))}</p>}
    </div>
  );
}
