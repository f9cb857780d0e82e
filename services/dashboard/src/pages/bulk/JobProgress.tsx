import { Progress } from '@mantine/core';
import { DECISIONS } from '@verdict/domain/decision.js';
import type { BulkJob } from '../../api/jobs.ts';
import { formatAge, formatCount, formatShare } from '../../ui/format/format.ts';
import { Section } from '../../ui/page/Section.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import classes from './JobProgress.module.css';
import { JobStatusMark } from './JobStatusMark.tsx';
import { LargerPlan } from './LargerPlan.tsx';
import { standstill } from './texts.ts';

/** How far it is, what came of it so far, and why it waits if it does. */
export function JobProgress({ job }: { job: BulkJob }) {
  const { done, distinct, seconds_left: left, asking_again: again } = job;
  const why = standstill(job);
  const begun = job.status !== 'parsing' && job.status !== 'ready';
  return (
    <Section title="Progress" aside={<JobStatusMark status={job.status} />}>
      <Progress
        value={distinct === 0 ? 0 : (100 * done) / distinct}
        aria-label="Progress"
        transitionDuration={0}
      />
      <p className={classes.line} role="status">
        {job.phase === 'parsing'
          ? `Reading the file: ${formatCount(job.rows)} rows so far.`
          : `${formatCount(done)} of ${formatCount(distinct)} addresses`}
        {left !== null && <span>{`about ${formatAge(left)} left`}</span>}
      </p>
      {again && (
        <p
          className={classes.why}
        >{`All addresses are checked. Checking ${formatCount(again.left)} mail servers again that did not answer, round ${again.round} of up to 3.`}</p>
      )}
      {why && <p className={classes.why}>{why}</p>}
      {job.failed_code === 'too_many_rows' && <LargerPlan rows={undefined} />}
      {begun && (
        <ul className={classes.decisions}>
          {DECISIONS.map((decision) => {
            const count = job.by_decision[decision] ?? 0;
            return (
              <li key={decision}>
                <DecisionMark decision={decision} />
                <strong>{formatCount(count)}</strong>
                <span>{formatShare(count, done)}</span>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}
