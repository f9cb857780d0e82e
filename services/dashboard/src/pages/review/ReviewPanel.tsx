import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../api/api-error.ts';
import { logQuery } from '../../api/logs.ts';
import { claimQuery, reviewsQuery } from '../../api/reviews.ts';
import { SidePanel } from '../../ui/dialog/SidePanel.tsx';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { useStepThrough } from '../../ui/table/use-step-through.ts';
import { LogDetails } from '../logs/LogDetails.tsx';
import { ReviewActions } from './ReviewActions.tsx';
import { REVIEW_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/checks/review/$id');

const isRefused = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 404 || error.status === 409);

/** One check with all evidence, held for its reader. */
export function ReviewPanel() {
  const { id } = route.useParams();
  const navigate = useNavigate();
  const claim = useQuery(claimQuery(id));
  const log = useQuery(logQuery(id));
  const rows = useInfiniteQuery(reviewsQuery).data?.rows ?? [];
  const go = (next: string) =>
    void navigate({ to: '/checks/review/$id', params: { id: next }, resetScroll: false, replace: true });
  const close = () => void navigate({ to: '/checks/review', resetScroll: false });
  const free = rows.filter((row) => row.claim !== 'other' || row.id === id).map((row) => row.id);
  useStepThrough(free, id, go);
  const at = free.indexOf(id);
  const next = free[at + 1] ?? free[at - 1];
  const refused = isRefused(claim.error) ? claim.error.status : null;
  return (
    <SidePanel title={log.data?.log.email ?? 'Review'} onClose={close}>
      {refused === null ? (
        <Loaded query={log} what="the check" rows={10}>
          {({ log: shown }) => (
            <>
              {claim.error && <ErrorNotice error={claim.error} onRetry={() => void claim.refetch()} />}
              <ReviewActions
                key={id}
                log={shown}
                isHeld={claim.data !== undefined}
                onDecided={() => (next === undefined || next === id ? close() : go(next))}
              />
              <LogDetails log={shown} />
            </>
          )}
        </Loaded>
      ) : (
        <p>{refused === 409 ? TEXTS.taken : TEXTS.gone}</p>
      )}
    </SidePanel>
  );
}
