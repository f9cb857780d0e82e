import type { ApiKey } from '../../api/keys.ts';
import classes from './KeyStatus.module.css';

/** By word and by the form of the dot: full, hollow, crossed. */
export const KeyStatus = ({ status }: { status: ApiKey['status'] }) => (
  <span className={classes.status} data-status={status}>
    {status}
  </span>
);
