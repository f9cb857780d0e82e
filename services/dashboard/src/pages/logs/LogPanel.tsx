import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../api/api-error.ts';
import { idAgeMs } from '../../api/id-age.ts';
import { logQuery } from '../../api/logs.ts';
import { retriesPassing } from '../../api/query-client.ts';
import { SidePanel } from '../../ui/dialog/SidePanel.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { ListActions } from './ListActions.tsx';
import { LogDetails } from './LogDetails.tsx';
import { OutcomeActions } from './OutcomeActions.tsx';

const route = getRouteApi('/app/checks/$id');
const parent = getRouteApi('/app/checks');

/** A check is stored about a second after its answer; one that is older and not found does not exist. */
const STORED_WITHIN_MS = 10_000;
const AGAIN_MS = 800;

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

export function LogPanel() {
  const { id } = route.useParams();
  const search = parent.useSearch();
  const navigate = useNavigate();
  const log = useQuery({
    ...logQuery(id),
    retry: (count, error) =>
      isMissing(error) ? idAgeMs(id, Date.now()) < STORED_WITHIN_MS : retriesPassing(count, error),
    retryDelay: AGAIN_MS,
  });
  return (
    <SidePanel
      title={
        log.data
          ? (log.data.log.email ?? 'Address erased')
          : isMissing(log.error)
            ? 'No such check'
            : 'Loading the check'
      }
      onClose={() => void navigate({ to: '/checks', search, resetScroll: false })}
    >
      {isMissing(log.error) ? (
        <p>This account has no check with this id.</p>
      ) : (
        <Loaded query={log} what="the check" rows={10}>
          {({ log: shown }) => (
            <LogDetails log={shown}>
              <Section
                title="Outcome"
                note="Say how this person turned out, to measure your rules and our signals."
              >
                <OutcomeActions log={shown} />
              </Section>
              {shown.email && (
                <Section title="Always allow or block">
                  <ListActions log={shown} email={shown.email} />
                </Section>
              )}
            </LogDetails>
          )}
        </Loaded>
      )}
    </SidePanel>
  );
}
