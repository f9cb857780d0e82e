import { Button, Progress } from '@mantine/core';
import { call } from '../../api/call.ts';
import { type Backtest, isRunning, POLICIES } from '../../api/policies.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { daysAgo, formatCount, formatDay, formatShare, plural } from '../../ui/format/format.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import classes from './Comparison.module.css';
import { Comparison } from './Comparison.tsx';
import { BACKTEST_TEXTS as TEXTS } from './texts.ts';

const DAYS = 30;
const REASONS = ['erased', 'expired', 'earlier_release', 'no_network', 'no_mx'] as const;

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
  const starting = useAction(
    () =>
      call('POST /policies/:version/backtest/', {
        params: { version: String(version) },
        body: { from: daysAgo(DAYS), to: daysAgo(0) },
      }),
    { stale: [[...POLICIES, 'backtest']] },
  );
  const running = backtest !== null && isRunning(backtest);
  return (
    <Section
      title="The last 30 days"
      note={
        backtest
          ? `${`Checks from ${formatDay(backtest.from)} to ${formatDay(backtest.to)}.`} ${unsaved ? `For version ${version}, without your unsaved changes.` : ''}`
          : 'Judge the checks of the last 30 days by this version. It changes no check.'
      }
      aside={
        <Button
          variant="default"
          size="xs"
          disabled={running}
          loading={starting.isPending}
          onClick={() => starting.mutate()}
        >
          {backtest ? 'Run again' : 'Run backtest'}
        </Button>
      }
    >
      {starting.error && <ErrorNotice title="Could not start the backtest" error={starting.error} />}
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
          <Progress value={100 * progress} aria-label="Progress of the backtest" transitionDuration={0} />
          <p className={panel.note} role="status">
            {status === 'queued'
              ? 'Waiting to start.'
              : `${formatShare(progress, 1)} done, ${plural(judged, 'check')} judged.`}
          </p>
        </div>
      )}
      {status === 'failed' && (
        <p className={panel.note} role="alert">
          The backtest stopped. Run it again.
        </p>
      )}
      {missing.length > 0 && (
        <div>
          <p
            className={classes.sum}
          >{`${formatCount(left)} of ${plural(judged + left, 'check')} could not be judged:`}</p>
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
      {judged > 0 && <Comparison title="The last 30 days" report={backtest} />}
      {status === 'done' && judged === 0 && missing.length === 0 && (
        <p className={panel.note}>You have no checks of these days.</p>
      )}
      {lookedUp > 0 && (
        <p
          className={panel.note}
        >{`${plural(lookedUp, 'check')} had no network stored. They are judged by the network that their IP has today.`}</p>
      )}
    </div>
  );
}
