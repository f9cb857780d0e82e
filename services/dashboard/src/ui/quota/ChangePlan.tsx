import { Link } from '@tanstack/react-router';
import { useMay } from '../../shell/use-may.ts';

/** The way to a larger plan, beside the limit that somebody meets. */
export function ChangePlan() {
  const may = useMay();
  return may('PUT /billing/subscription/') ? (
    <Link to="/billing">Change plan</Link>
  ) : (
    'An owner of the account can change the plan.'
  );
}
