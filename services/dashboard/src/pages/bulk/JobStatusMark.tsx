import type { JobStatus } from '../../api/jobs.ts';
import classes from './JobStatusMark.module.css';
import { STATUS_WORDS } from './texts.ts';

/** The state of a job: by word, and by the shape before it. */
export function JobStatusMark({ status }: { status: JobStatus }) {
  return (
    <span className={classes.mark} data-status={status}>
      {STATUS_WORDS[status]}
    </span>
  );
}
