import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { subscriptionQuery } from '../api/billing.ts';
import classes from './ConnectionBanner.module.css';
import { quotaSentence } from './quota-sentence.ts';
import { useMay } from './use-may.ts';

const REFRESH_MS = 60_000;

/** Above every page from 80 % of the month's checks on. */
export function QuotaBanner() {
  const { data } = useQuery({ ...subscriptionQuery, staleTime: REFRESH_MS, refetchInterval: REFRESH_MS });
  const may = useMay();
  const said = data && quotaSentence(data, Date.now());
  if (!said) return null;
  return (
    <p className={classes.banner} role="status">
      <span>
        {said} {may('PUT /billing/subscription/') && <Link to="/billing">Change plan</Link>}
      </span>
    </p>
  );
}
